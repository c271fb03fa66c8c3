#pragma once

// Shared by the program and its kernel.
struct particle {
  float x, y, z;
  float vx, vy, vz;
  int bounces;
};

struct world {
  float gravity;
  float floor;
  float time_step;
};
