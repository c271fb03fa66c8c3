// An isosurface from data-parallel primitives, after the algorithm of PISTON: cells count the vertices they will give,
// cells that give some are listed by a scan and a search, and vertices are computed where they are listed. Cells are
// cut into tetrahedra. The field is computed, not stored.
#include <tessera/algo.h>

#include <cstring>
#include <vector>

#include "check.h"

namespace ts = tessera;

// The field, and what a cell or a vertex needs of it: host code and device text.
TS_DEVICE(
    struct point { float x, y, z; }; struct grid {
      int cells;  // along each axis
      float isovalue;
    };
    struct corner {
      point at;
      float value;
    };
    inline float tangle(point p) {
      const float x = p.x * p.x, y = p.y * p.y, z = p.z * p.z;
      return (x * x - 5 * x + (y * y - 5 * y) + (z * z - 5 * z) + 11.8f) * 0.2f + 0.5f;
    }
    /// Corner `number` of a cell: bit 0 is x, bit 1 y, bit 2 z.
    inline corner corner_of(grid g, long long cell, int number) {
      const long long n = g.cells, i = cell % n + number % 2, j = cell / n % n + number / 2 % 2,
                      k = cell / n / n + number / 4;
      const float step = 6.0f / (float)n;
      const point at = {-3 + step * (float)i, -3 + step * (float)j, -3 + step * (float)k};
      return {at, tangle(at)};
    }
    /// Corner `place` of tetrahedron `number`, of six around the diagonal from corner 0 to corner 7.
    inline int corner_number(int number, int place) {
      const int middle[7] = {1, 3, 2, 6, 4, 5, 1};
      return place == 0 ? 0 : place == 3 ? 7 : middle[number + place - 1];
    } inline int inside_of(grid g, long long cell, int tetrahedron) {
      int inside = 0;
      for (int place = 0; place < 4; ++place)
        inside += corner_of(g, cell, corner_number(tetrahedron, place)).value < g.isovalue ? 1 << place : 0;
      return inside;
    }
    /// One corner apart from the others gives a triangle, two give two.
    inline int vertices_of(int inside) {
      const int count = (inside & 1) + (inside >> 1 & 1) + (inside >> 2 & 1) + (inside >> 3);
      return count == 0 || count == 4 ? 0 : count == 2 ? 6 : 3;
    } struct count_vertices {
      grid g;
      int operator()(long long cell) const {
        int count = 0;
        for (int t = 0; t < 6; ++t) count += vertices_of(inside_of(g, cell, t));
        return count;
      }
    };
    inline point between(corner a, corner b, float isovalue) {
      const float t = (isovalue - a.value) / (b.value - a.value);
      return {a.at.x + t * (b.at.x - a.at.x), a.at.y + t * (b.at.y - a.at.y), a.at.z + t * (b.at.z - a.at.z)};
    }
    /// Vertex `number` of those that a cell gives.
    struct make_vertex {
      grid g;
      point operator()(long long cell, long long number) const {
        int t = 0, inside = inside_of(g, cell, 0);
        for (; number >= vertices_of(inside); inside = inside_of(g, cell, ++t)) number -= vertices_of(inside);
        int in[4] = {0, 0, 0, 0}, out[4] = {0, 0, 0, 0}, ins = 0, outs = 0;
        for (int place = 0; place < 4; ++place)
          if (inside >> place & 1)
            in[ins++] = place;
          else
            out[outs++] = place;
        // An edge from a corner inside to one outside; a quadrangle is two triangles.
        const int corners[6] = {0, 1, 2, 2, 1, 3};
        const int edge = ins == 2 ? corners[number] : (int)number;
        const int from = ins == 1 ? in[0] : ins == 3 ? in[edge] : in[edge / 2];
        const int to = ins == 1 ? out[edge] : ins == 3 ? out[0] : out[edge % 2];
        return between(corner_of(g, cell, corner_number(t, from)), corner_of(g, cell, corner_number(t, to)),
                       g.isovalue);
      }
    };)

namespace {

std::vector<float> by_loops(grid g) {
  std::vector<float> all;
  const long long cells = static_cast<long long>(g.cells) * g.cells * g.cells;
  for (long long cell = 0; cell < cells; ++cell)
    for (int k = 0; k < count_vertices{g}(cell); ++k) {
      const point p = make_vertex{g}(cell, k);
      all.insert(all.end(), {p.x, p.y, p.z});
    }
  return all;
}

}  // namespace

int main() {
  const grid g{24, 1.0f};
  const long long cells = static_cast<long long>(g.cells) * g.cells * g.cells;

  // Vertices per cell, and the cells that give some: numbered by a scan, found by a search.
  ts::vector<int> count = ts::map(count_vertices{g})(ts::counting(0ll, cells));
  auto is_valid = [](auto vertices) { return ts::select(vertices > 0, 1, 0); };
  ts::vector<int> valid_enum(cells);
  ts::transform_inclusive_scan(count, valid_enum, is_valid, ts::plus());
  const int valid = ts::back(valid_enum);
  ts::vector<std::int64_t> cell = ts::upper_bound(valid_enum, ts::counting(0, valid));

  // What these give, and where it begins.
  ts::vector<int> vertices = ts::gather(cell, count);
  ts::vector<int> begins = ts::exclusive_scan(vertices, 0);
  const int total = ts::back(begins) + ts::back(vertices);

  // Each vertex finds its cell, and its number there.
  ts::vector<std::int64_t> place = ts::upper_bound(begins, ts::counting(0, total));
  auto own = ts::views::zip(place) | ts::views::transform([](auto k) { return k - 1; });
  ts::vector<std::int64_t> owner = ts::gather(own, cell);
  ts::vector<int> first = ts::gather(own, begins);
  ts::vector<point> surface(total);
  ts::transform(owner, ts::views::zip(ts::counting(0, total), first) | ts::views::transform([](auto k, auto begin) {
                         return k - begin;
                       }),
                surface, make_vertex{g});

  const std::vector<point> points = surface.to_host();
  std::vector<float> result(points.size() * 3);
  std::memcpy(result.data(), points.data(), points.size() * sizeof(point));
  const bool is_rounded_once = example::has_gpus(ts::default_context());
  return example::report(
      "isosurface", result, by_loops(g), [=](float a, float b) { return is_rounded_once && (a - b) * (a - b) < 1e-6f; },
      100);
}
