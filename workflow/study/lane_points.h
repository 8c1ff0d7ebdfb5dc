// SPDX-License-Identifier: Apache-2.0
// Simulations of many points side by side, in the lanes of vectors.
#pragma once
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "workflow/study/point_job.h"

namespace bolza::workflow {

/// A model whose parameters differ between runs. It takes points of a study that simulates by the usual integrator or by
/// `dopri5`, whose axes are parameters or starts of states, where neither events nor algebraic equations occur. At the first
/// and the last point of the plan it has to end where the plain simulation does; where it does not, nothing is taken.
/// What it says of a point does not depend on which others it is done with.
class LanePoints {
 public:
  /// Null: the points have to be done one by one.  Cost  a load, a compilation, two plain simulations.
  static std::unique_ptr<LanePoints> make(const StudyJob& job, const Plan& plan);
  ~LanePoints();

  /// A record of each point; none: it has to be done by itself.
  std::vector<std::optional<PointRecord>> run(std::span<const std::size_t> points);

 private:
  class Inside;
  explicit LanePoints(std::unique_ptr<Inside> inside);
  std::unique_ptr<Inside> inside_;
};

}  // namespace bolza::workflow
