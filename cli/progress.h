// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include "base/clock.h"
#include "workflow/solve/outcome/outcome.h"
#include "workflow/study/run_study.h"

namespace bolza::cli {

/// One live line on a terminal ("radau 50: iteration 12  objective 3.1762  infeasibility 2e-09  0.4 s"); nothing in a pipe.
class ProgressLine {
 public:
  explicit ProgressLine(bool wanted);
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  bool due() const;                    ///< whether `show` would show something now: texts need not be made before
  void show(const std::string& text);  ///< at most ten times a second
  void clear();

 private:
  bool on_;
  bool visible_ = false;
  Clock::time_point last_{};
};

/// Progress for programs (--progress json): one JSON object a line on standard error, {"stage", "iteration", "objective",
/// "infeasibility", "seconds"} of every iteration; ten times a second at most {"time", "stop"} of a simulation, {"points",
/// "of", "not_solved"} of a study.
class ProgressRecords {
 public:
  explicit ProgressRecords(bool wanted) : wanted_(wanted) {}
  void iteration(const workflow::Progress& p) const;
  void studied(const workflow::StudyProgress& p);
  void simulated(double t, double stop);

 private:
  bool wanted_;
  Clock::time_point last_{};
};

}  // namespace bolza::cli
