// SPDX-License-Identifier: Apache-2.0
#include "runtime/integrate/failure.h"

#include <cmath>

#include "base/numbers.h"

namespace bolza::integrate {

void place(abi::Finding& finding, const bolza_source& source) {
  if (source.file) {
    finding.file = source.file;
    finding.line = source.line;
    finding.column = source.column;
  }
}

void report_worst(const Setup& setup, SimulateStatus status, double t, double h, std::span<const double> errors,
                  std::span<const double> weights) {
  const bolza_model& model = setup.model.model();
  std::size_t worst = 0;
  double largest = -1;
  for (std::size_t i = 0; i < errors.size(); ++i) {
    double e = std::fabs(errors[i] * weights[i]);
    if (std::isfinite(e) ? e > largest : largest < INFINITY) {
      largest = std::isfinite(e) ? e : INFINITY;
      worst = i;
    }
  }
  abi::Finding& f = setup.report.finding;
  f = {};
  f.time = t;
  f.amount = largest;
  if (worst < model.n_x + model.n_z) {
    const bolza_variable& v = worst < model.n_x ? model.x[worst] : model.z[worst - model.n_x];
    f.name = v.name ? v.name : "";
    place(f, v.source);
  }
  std::string steps = std::isfinite(h) ? " with steps of " + shown(h, 2) + " s" : ", because the length of a step overflows";
  setup.report.message = std::string(name_of(status)) + steps + "; the largest local error is that of `" + f.name + "`";
}

void report_nonfinite(const nonlinear::ModelAt& model, SimulateReport& report, double t) {
  const nonlinear::ModelAt::Trouble& trouble = model.trouble();
  report.finding = nonlinear::finding_of(trouble);
  report.finding.time = t;
  report.message = trouble.text.empty() ? "a value is not finite" : trouble.text;
}

}  // namespace bolza::integrate
