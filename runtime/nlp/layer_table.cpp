// SPDX-License-Identifier: Apache-2.0
#include "runtime/nlp/layer_table.h"

#include <algorithm>
#include <array>

#include "base/expects.h"

namespace bolza::nlp {

extern const LayerRow switching_rows_layer, fitting_options_layer, whole_numbers_layer, continuous_engine_layer,
    relaxed_layer, reduced_layer, new_scales_layer, scaled_layer, deadline_layer, descent_layer, best_point_layer, gap_layer,
    second_attempt_layer;

namespace {
constexpr std::array<const LayerRow*, 13> order{&switching_rows_layer,    &fitting_options_layer, &whole_numbers_layer,
                                                &continuous_engine_layer, &relaxed_layer,         &reduced_layer,
                                                &new_scales_layer,        &scaled_layer,          &deadline_layer,
                                                &descent_layer,           &best_point_layer,      &gap_layer,
                                                &second_attempt_layer};
}

LayerRows layers() { return order; }

const LayerRow& layer_named(std::string_view name) {
  auto row = std::ranges::find(order, name, &LayerRow::name);
  expects(row != order.end(), "there is a layer of that name");
  return **row;
}

}  // namespace bolza::nlp
