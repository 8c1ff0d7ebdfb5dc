// SPDX-License-Identifier: Apache-2.0
// Whether engine, options and problem fit together: a check, which refuses the task where they do not.
#include "runtime/nlp/condensing.h"
#include "runtime/nlp/layer.h"
#include "runtime/nlp/whole_numbers.h"

namespace bolza::nlp {
namespace {

std::string objection_to_hessian(const Engine& engine, const Nlp& nlp, Hessian hessian) {
  if (hessian == Hessian::lbfgs && !engine.lbfgs)
    return "the engine `" + std::string(engine.name) + "` does not approximate second derivatives: exact ones are needed";
  if (hessian == Hessian::gauss_newton && nlp.gauss_newton.row.empty())
    return "the objective is not a sum of squares: Gauss-Newton does not apply" +
           std::string(engine.exact_hessian ? "" : ", and the engine `" + std::string(engine.name) + "` has nothing else");
  return {};
}

/// Empty when engine and options fit together.
std::string objection_to(const Engine& engine, const Nlp& nlp, const EngineOptions& options) {
  if (!engine.available()) return "the engine `" + std::string(engine.name) + "` was not built";
  if (engine.integers == Integers::refused && has_integers(nlp) && options.integers == IntegerMethod::branch)
    return "the engine `" + std::string(engine.name) + "` does not take variables that are whole numbers; those that do: " +
           names_of_engines([](const Engine& other) { return other.integers != Integers::refused; });
  for (const auto& [name, value] : options.engine_options)
    if (std::string wrong = check_option(engine, name, value); !wrong.empty()) return wrong;
  if (options.condensing && !engine.condenses)
    return "the engine `" + std::string(engine.name) +
           "` solves no quadratic programs that could be condensed: `hqp` and `sqp` do";
  if (options.condensing)
    if (std::string why = objection_to_condensing(nlp); !why.empty()) return why;
  return objection_to_hessian(engine, nlp, options.hessian);
}

std::optional<Report> refuse(const SolveTask& task, LayerRows) {
  std::string wrong = task.engine ? objection_to(*task.engine, *task.nlp, task.options)
                                  : "there is no NLP engine `" + task.options.engine + "`; there are " +
                                        names_of_engines([](const Engine&) { return true; });
  if (wrong.empty()) return std::nullopt;
  return Report{.status = Status::bad_option, .message = wrong};
}

}  // namespace

extern const LayerRow fitting_options_layer;
const LayerRow fitting_options_layer{.name = "fitting options", .answer = refuse};

}  // namespace bolza::nlp
