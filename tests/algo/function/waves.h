#pragma once

struct wave {
  float height, speed;
};
inline float energy(wave w) { return 0.5f * (w.height * w.height + w.speed * w.speed); }
