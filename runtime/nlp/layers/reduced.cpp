// SPDX-License-Identifier: Apache-2.0
// Without fixed variables, variables that are others, and rows that say nothing; what these contradict is found here.
#include <algorithm>
#include <utility>

#include "runtime/nlp/layer.h"
#include "runtime/nlp/reduce.h"
#include "runtime/nlp/residuals.h"

namespace bolza::nlp {
namespace {

/// Empty when the engine takes the rows that are left.
std::string objection_to_rows(const Engine& engine, const Nlp& reduced) {
  if (engine.constraints || reduced.m() == 0) return {};
  return "the engine `" + std::string(engine.name) + "` takes bounds alone, and the problem has " +
         std::to_string(reduced.m()) + (reduced.m() == 1 ? " constraint" : " constraints") +
         "; engines that take constraints: " + names_of_engines([](const Engine& e) { return e.constraints; });
}

/// Empty when bounds, sides and rows of fixed variables can be satisfied.
std::string contradiction(const Reduced& reduced, const Nlp& nlp, double tol) {
  for (std::size_t v = 0; v < nlp.n(); ++v)
    if (nlp.lower[v] > nlp.upper[v]) return "the lower bound of a variable is above the upper one";
  for (std::size_t r = 0; r < nlp.m(); ++r)
    if (nlp.row_lower[r] > nlp.row_upper[r]) return "the lower side of a row is above the upper one";
  constexpr double beyond = 1e19;  // what engines take for infinity
  for (std::size_t v = 0; v < nlp.n(); ++v)
    if (nlp.lower[v] > beyond * nlp.scale[v] || nlp.upper[v] < -beyond * nlp.scale[v])
      return "a bound is beyond 1e19 times the size of its variable, which engines take for infinite; a `nominal` says the "
             "size";
  for (std::size_t r = 0; r < nlp.m(); ++r)
    if (nlp.row_lower[r] > beyond * nlp.row_scale[r] || nlp.row_upper[r] < -beyond * nlp.row_scale[r])
      return "the limit of a constraint is beyond 1e19 times its size, which engines take for infinite";
  if (dropped_violation(reduced, nlp) > std::max(1e-6, tol)) return "constraints among fixed values contradict them";
  return {};
}

class ReducedLayer final : public Layer {
 public:
  Passage up(SolveTask& task, Report& answer) override {
    full_ = task.nlp;
    reduced_ = reduce(*full_);
    if (!task.options.warm_start) task.start = {.w = std::move(task.start.w)};
    Iterate start = restrict_to(reduced_, task.start);
    if (std::string why = contradiction(reduced_, *full_, task.options.tol); !why.empty()) {
      answer = {.status = Status::infeasible, .message = why, .iterate = std::move(start)};
      answer.is_proven = true;
      down(answer);
      return Passage::answered;
    }
    if (std::string wrong = objection_to_rows(*task.engine, reduced_.nlp); !wrong.empty()) {
      answer = {.status = Status::bad_option, .message = wrong};
      return Passage::answered;
    }
    task.nlp = task.own = &reduced_.nlp;
    task.start = std::move(start);
    return Passage::through;
  }
  void down(Report& report) override {
    report.iterate = recover(reduced_, *full_, report.iterate);
    measure_residuals(*full_, report);
  }

 private:
  const Nlp* full_ = nullptr;
  Reduced reduced_;
};

}  // namespace

extern const LayerRow reduced_layer;
const LayerRow reduced_layer{.name = "reduced", .make = make_layer<ReducedLayer>};

}  // namespace bolza::nlp
