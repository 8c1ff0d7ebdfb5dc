// SPDX-License-Identifier: Apache-2.0
// Which search finds whole numbers. None of them is a wrapper: each solves many problems, by walks of their own.
#include "runtime/nlp/whole_numbers.h"
#include "runtime/nlp/branch_and_bound.h"
#include "runtime/nlp/layer.h"

namespace bolza::nlp {
namespace {

std::optional<Report> search_whole_numbers(const SolveTask& task, LayerRows below) {
  if (!seeks_whole_numbers(task)) return std::nullopt;
  if (task.options.integers == IntegerMethod::sum_up) return round_and_solve(*task.nlp, task.options, &task.start);
  if (task.engine->integers == Integers::branched) return branch_and_bound(*task.nlp, task.options, &task.start);
  return search_with_engine(task, below);
}

}  // namespace

extern const LayerRow whole_numbers_layer;
const LayerRow whole_numbers_layer{.name = "whole numbers", .answer = search_whole_numbers};

}  // namespace bolza::nlp
