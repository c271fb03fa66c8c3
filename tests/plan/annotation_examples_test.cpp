#include <doctest/doctest.h>

#include "tests/plan/annotation_support.h"

/// Annotations of real kernels, with the boxes that their superblocks touch worked out by hand.

using namespace tessera;
using namespace tessera::plan;

using boxes = std::vector<box>;

TEST_CASE("element-wise with a bound: background subtraction") {
  const fake_launch launch{
      .arrays = {{"Img", {1000}}, {"Img1", {1000}}, {"Img2", {1000}}, {"Tn", {1000}}, {"Bn", {1000}}},
      .constants = {{"imgSize", 700}},
      .scalars = {"imgSize"}};
  const auto all = launch.boxes("global i < imgSize => read Img[i], Img1[i], Img2[i], readwrite Tn[i], Bn[i]",
                                {{1024}, {256}}, {{2}, {4}});
  REQUIRE(all.size() == 5);
  for (const auto& b : all) CHECK(b == boxes{{{512}, {700}}});
}

TEST_CASE("a warp per row: layer normalisation") {
  const fake_launch launch{
      .arrays = {{"inp", {60}}, {"weight", {6}}, {"bias", {6}}, {"out", {60}}, {"mean", {10}}, {"rstd", {10}}},
      .constants = {{"N", 10}, {"C", 6}},
      .scalars = {"N", "C"}};
  const auto all = launch.boxes(
      "global i < 32*N, r = i/32 => read inp as [N, C][r, :], weight, bias, write out as [N, C][r, :], mean[r], "
      "rstd[r]",
      {{384}, {128}}, {{1}, {3}});
  CHECK(all[0] == boxes{{{24}, {60}}});
  CHECK(all[1] == boxes{{{0}, {6}}});
  CHECK(all[3] == boxes{{{24}, {60}}});
  CHECK(all[4] == boxes{{{4}, {10}}});
}

TEST_CASE("rows times columns: Hellinger distance") {
  const fake_launch launch{
      .arrays = {{"a", {12}}, {"b", {20}}, {"c", {15}}}, .constants = {{"m", 3}, {"n", 4}, {"k", 5}}, .scalars = {}};
  const auto all = launch.boxes(
      "global [col < k, row < m] => read a as [m, n][row, :], b as [n, k][:, col], write c as [m, k][row, col]",
      {{8, 4}, {2, 2}}, {{1, 0}, {2, 1}});
  CHECK(all[0] == boxes{{{0}, {8}}});
  CHECK(all[1] == boxes{{{2}, {4}}, {{7}, {9}}, {{12}, {14}}, {{17}, {19}}});
  CHECK(all[2] == boxes{{{2}, {4}}, {{7}, {9}}});
}

TEST_CASE("tiles by block: transpose") {
  const fake_launch launch{.arrays = {{"idata", {6, 8}}, {"odata", {8, 6}}},
                           .constants = {{"T", 4}, {"height", 6}, {"width", 8}},
                           .scalars = {}};
  const char* const text =
      "block [bx, by] => read idata as [height, width][T*by : T*by+T-1, T*bx : T*bx+T-1],\n"
      "                  write odata as [width, height][T*bx : T*bx+T-1, T*by : T*by+T-1]";
  const auto all = launch.boxes(text, {{8, 8}, {4, 4}}, {{1, 0}, {2, 2}});
  CHECK(all[0] == boxes{{{0, 4}, {6, 8}}});
  CHECK(all[1] == boxes{{{4, 0}, {8, 6}}});
  const access_pattern p = launch.bind(text);
  CHECK(is_dense(p.rules[1], p.names));
}

TEST_CASE("a padded volume: finite differences in three dimensions") {
  const fake_launch launch{.arrays = {{"coef", {2}}, {"input", {5 + 4 * 5 * 6}}, {"output", {5 + 4 * 5 * 6}}},
                           .constants = {{"dimx", 4}, {"dimy", 3}, {"dimz", 2}, {"R", 1}, {"padding", 5}},
                           .scalars = {}};
  const auto all = launch.boxes(
      "global [x < dimx, y < dimy] => read coef, "
      "input as [dimz+2*R, dimy+2*R, dimx+2*R] at padding [:, y : y+2*R, x : x+2*R], "
      "write output as [dimz+2*R, dimy+2*R, dimx+2*R] at padding [R : R+dimz-1, y+R, x+R]",
      {{4, 3}, {4, 1}}, {{0, 1}, {1, 2}});
  CHECK(all[0] == boxes{{{0}, {2}}});
  CHECK(all[1] == boxes{{{11}, {29}}, {{41}, {59}}, {{71}, {89}}, {{101}, {119}}});
  CHECK(all[2] == boxes{{{5 + 30 + 13}, {5 + 30 + 17}}, {{5 + 60 + 13}, {5 + 60 + 17}}});
}

TEST_CASE("a grid-stride loop as columns: dropout") {
  const fake_launch launch{.arrays = {{"a", {20}}, {"b", {20}}, {"c", {20}}},
                           .constants = {{"gridDim.x", 2}, {"blockDim.x", 4}},
                           .scalars = {}};
  const auto all = launch.boxes(
      "global i, T = gridDim.x*blockDim.x => read a as [:, T][:, i], write b as [:, T][:, i], c as [:, T][:, i]",
      {{8}, {4}}, {{1}, {2}});
  for (const auto& b : all) CHECK(b == boxes{{{4}, {8}}, {{12}, {16}}});
}

TEST_CASE("quotient and remainder of the thread: bitonic merge") {
  const fake_launch launch{
      .arrays = {{"src", {32}}, {"dst", {32}}}, .constants = {{"stride", 4}}, .scalars = {"stride"}};
  const char* const text =
      "global i, q = i/stride, r = i%stride => read src as [:, 2, stride][q, :, r], write dst as [:, 2, stride][q, :, "
      "r]";
  CHECK(launch.boxes(text, {{16}, {4}}, {{1}, {3}})[1] == boxes{{{8}, {24}}});
  CHECK(launch.boxes(text, {{16}, {2}}, {{1}, {2}})[1] == boxes{{{2}, {4}}, {{6}, {8}}});
}

TEST_CASE("overlapping trapezoids: pathfinder") {
  const fake_launch launch{
      .arrays = {{"gpuSrc", {100}}, {"gpuWall", {1000}}, {"gpuResult", {100}}, {"outputBuffer", {9}}},
      .constants = {{"iteration", 3}, {"theHalo", 1}, {"blockDim.x", 16}, {"borderCols", 3}, {"cols", 100}, {"t", 2}},
      .scalars = {}};
  const std::string text =
      "block b, h = iteration*theHalo, x = (blockDim.x - 2*h)*b - borderCols => read gpuSrc[x : x+blockDim.x-1], "
      "gpuWall as [:, cols][t : t+iteration-1, x : x+blockDim.x-1], write gpuResult[x+h : x+blockDim.x-1-h], ";
  const auto all = launch.boxes(text + "none outputBuffer", {{160}, {16}}, {{1}, {3}});
  CHECK(all[0] == boxes{{{7}, {33}}});
  CHECK(all[1] == boxes{{{207}, {233}}, {{307}, {333}}, {{407}, {433}}});
  CHECK(all[2] == boxes{{{10}, {30}}});
  CHECK(is_dense(launch.bind(text + "none outputBuffer").rules[2]));
  CHECK(says(parse_error(text + "scatter outputBuffer"), "`scatter` is not supported yet"));
}

TEST_CASE("views of rank four: fused softmax") {
  const fake_launch launch{.arrays = {{"src", {2 * 3 * 8 * 5}}, {"mask", {2 * 8 * 5}}, {"dst", {2 * 3 * 8 * 5}}},
                           .constants = {{"gridDim.x", 2},
                                         {"gridDim.y", 3},
                                         {"gridDim.z", 2},
                                         {"blockDim.y", 2},
                                         {"WARP_BATCH", 2},
                                         {"element_count", 5},
                                         {"pad_batches", 2}},
                           .scalars = {}};
  const auto all = launch.boxes(
      "block [s, h, b], R = blockDim.y*WARP_BATCH => "
      "read src as [gridDim.z, gridDim.y, :, element_count][b, h, R*s : R*s+R-1, :], "
      "mask as [:, gridDim.x*R, element_count][b*min(pad_batches-1, 1), R*s : R*s+R-1, :], "
      "write dst as [gridDim.z, gridDim.y, :, element_count][b, h, R*s : R*s+R-1, :]",
      {{64, 6, 2}, {32, 2, 1}}, {{1, 2, 1}, {2, 3, 2}});
  CHECK(all[0] == boxes{{{220}, {240}}});
  CHECK(all[1] == boxes{{{60}, {80}}});
  CHECK(all[2] == boxes{{{220}, {240}}});
}

TEST_CASE("grid-stride, scatter and append kernels wait for a later version") {
  for (const char* text : {"stride i < nbodiesd => readwrite posMass[i], veld[i], accVeld[i]",
                           "global i < n => read nodes[i], edges, visited, readwrite mask[i], scatter updating, cost",
                           "global i < n => read src[i], append(nres) dst"})
    CHECK(says(parse_error(text), "not supported yet by this version"));
}
