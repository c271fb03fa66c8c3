#include "tessera/numeric/blas/tiles.h"

namespace tessera::numeric {

// One per instruction set: tiles.inc.
void fill_plain_tiles(tile_functions (&table)[product_types]);
void fill_wide_tiles(tile_functions (&table)[product_types]);
void fill_widest_tiles(tile_functions (&table)[product_types]);

namespace {

struct all_tiles {
  tile_functions of[3][product_types];
  all_tiles() {
    fill_plain_tiles(of[0]);
    fill_wide_tiles(of[1]);
    fill_widest_tiles(of[2]);
  }
};

}  // namespace

const tile_functions& product_tiles(product_type type, instruction_set set) {
  static const all_tiles all;
  return all.of[static_cast<int>(set)][static_cast<int>(type)];
}

const tile_functions& product_tiles(product_type type) {
  static const instruction_set best = best_instructions();
  return product_tiles(type, best);
}

}  // namespace tessera::numeric
