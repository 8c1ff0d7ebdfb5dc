// SPDX-License-Identifier: Apache-2.0
#include "runtime/integrate/segment/adjoint_pieces.h"

#include <algorithm>

namespace bolza::integrate {
namespace {

constexpr long usual_spacing = 500, least_spacing = 20;
constexpr long least_piece = 250;             // where the integrator starts again some thirty steps are short
constexpr std::size_t bytes_of_handle = 700;  // a vector of SUNDIALS carries its table of operations

// None is dropped.
MethodOptions keep_all(MethodOptions options) {
  options.checkpoint_steps = 1;
  return options;
}

}  // namespace

AdjointPieces::AdjointPieces(const MethodOptions& options, std::size_t numbers, std::size_t vectors, std::size_t handles,
                             long expected)
    : checkpoints_(keep_all(options)) {
  auto allowance = static_cast<double>(checkpoints_.allowance());
  double vector = static_cast<double>(bytes_of_handle * handles + sizeof(double) * numbers);
  double step = vector * (options.checkpoint_interpolation == "hermite" ? 2 : 1);
  between_ = static_cast<long>(std::clamp(0.5 * allowance / step, 1.0 * least_spacing, 1.0 * usual_spacing));
  if (expected > 0) between_ = std::clamp(2 * expected, least_spacing, between_);
  if (options.checkpoint_steps > 0) between_ = static_cast<long>(options.checkpoint_steps + 0.5);
  double room = allowance - static_cast<double>(between_) * step;
  longest_ = between_ * static_cast<long>(std::clamp(room / (vector * static_cast<double>(vectors)), 1.0, 1e9));
  longest_ = std::max(longest_, least_piece);
}

bool AdjointPieces::forward(const Run& run, std::vector<double> numbers, long max_steps) {
  begins_.clear();
  checkpoints_.clear();
  no_room_ = false;
  double s = 0;
  for (steps_ = 0; s < 1;) {
    loaded_ = begins_.size();
    begins_.push_back(s);
    if (!checkpoints_.add(loaded_, numbers)) {
      no_room_ = true;
      return false;
    }
    if (!run.begin(s, numbers)) return false;
    for (long own = 0; s < 1 && own < longest_; ++own)
      if (++steps_ > max_steps || !run.step(s)) return false;
    if (s < 1) run.numbers(numbers);
  }
  return true;
}

// A step beyond the end: the backward problems stand there, give or take their last bit.
bool AdjointPieces::load(const Run& run, std::size_t piece) {
  if (piece == loaded_) return true;
  std::vector<double> numbers;
  double s = begins_[piece], end = piece + 1 < begins_.size() ? begins_[piece + 1] : 1;
  loaded_ = begins_.size();
  if (!checkpoints_.get(piece, numbers)) {
    no_room_ = true;
    return false;
  }
  if (!run.begin(s, numbers)) return false;
  while (s < 1 && s <= end)
    if (!run.step(s)) return false;
  loaded_ = piece;
  return true;
}

bool AdjointPieces::backward(const Run& run, const std::function<bool(double s)>& back) {
  for (std::size_t piece = begins_.size(); piece-- > 0;)
    if (!load(run, piece) || !back(begins_[piece])) return false;
  return true;
}

}  // namespace bolza::integrate
