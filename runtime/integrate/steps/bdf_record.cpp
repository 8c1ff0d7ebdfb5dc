// SPDX-License-Identifier: Apache-2.0
#include "runtime/integrate/steps/bdf_record.h"

#include <algorithm>

#include "base/expects.h"

namespace bolza::integrate {

void BdfRecord::add(const BdfSteps& steps) {
  double begin = steps_.empty() ? steps.reached() - steps.last_step() : steps_.back().end;
  steps_.push_back({begin, steps.reached(), steps.last_step(), steps.order(), rows_.size()});
  for (int j = 0; j <= steps.order(); ++j) rows_.insert(rows_.end(), steps.row(j), steps.row(j) + count_);
}

void BdfRecord::stretch(double by) {
  for (Step& step : steps_) {
    step.begin *= by;
    step.end *= by;
    step.h *= by;
  }
}

void BdfRecord::at(double s, double* y) const {
  expects(!steps_.empty(), "there is a step");
  last_ = std::min(last_, steps_.size() - 1);
  while (last_ > 0 && s <= steps_[last_].begin) --last_;
  while (last_ + 1 < steps_.size() && s > steps_[last_].end) ++last_;
  const Step& step = steps_[last_];
  double share = (s - step.end) / step.h;
  auto row = [&](int j) { return rows_.data() + step.row + static_cast<std::size_t>(j) * count_; };
  std::copy_n(row(step.order), count_, y);
  for (int j = step.order - 1; j >= 0; --j)
    for (std::size_t i = 0; i < count_; ++i) y[i] = y[i] * share + row(j)[i];
}

}  // namespace bolza::integrate
