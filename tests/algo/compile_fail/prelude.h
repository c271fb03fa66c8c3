#pragma once

/// What every case of cases.txt begins with.
#include <tessera/algo.h>
#include <tessera/thrust.h>

#include <cmath>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace ts = tessera;

inline ts::vector<float> x, y;
inline ts::vector<int> counts;
inline ts::matrix<float> m;
inline float number = 2;
inline float half(float v) { return v / 2; }
