// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "cli/commands.h"
#include "cli/model_arguments.h"
#include "cli/print.h"
#include "cli/progress.h"
#include "cli/watcher.h"
#include "workflow/codes.h"
#include "workflow/gradient/gradient.h"
#include "workflow/run/jobs.h"

namespace bolza::cli {
namespace {

using ReducedGradient = workflow::GradientResult;
using transcribe::WayResult;

nlohmann::json named(const ReducedGradient& g, std::span<const double> values) {
  nlohmann::json o = nlohmann::json::object();
  for (std::size_t k = 0; k < values.size(); ++k) o[g.directions[k].name] = values[k];
  return o;
}

/// Row r of as many as there are outputs.
std::span<const double> row_of(const ReducedGradient& g, std::size_t r, const std::vector<double>& values) {
  std::size_t count = values.size() / std::max<std::size_t>(g.outputs.size(), 1);
  return std::span(values).subspan(r * count, count);
}

/// Derivatives by their names: the objective's, or those of every output.
template <class Names>
nlohmann::json by_output(const ReducedGradient& g, const std::vector<double>& values, Names&& names) {
  if (g.outputs.empty()) return names(values);
  nlohmann::json o = nlohmann::json::object();
  for (std::size_t r = 0; r < g.outputs.size(); ++r) o[g.outputs[r].name] = names(row_of(g, r, values));
  return o;
}

nlohmann::json derivatives(const ReducedGradient& g, const WayResult& way) {
  return by_output(g, way.gradient, [&](std::span<const double> row) { return named(g, row); });
}

double in_simulations(const ReducedGradient& g, const WayResult& way) {
  return g.seconds_simulation > 0 ? way.seconds / g.seconds_simulation : 0;
}

/// Largest difference of an entry, relative to the larger of the two; of derivatives along probes where these stand for all.
/// In a Jacobian entries are often 0: they count as what is negligible compared with the largest of the row.
constexpr double negligible = 1e-6;
double difference(const ReducedGradient& g, const WayResult& a, const WayResult& b) {
  bool probed = b.gradient.empty();
  const std::vector<double>&of_a = probed ? a.along : a.gradient, &of_b = probed ? b.along : b.gradient;
  double worst = 0;
  std::size_t rows = std::max<std::size_t>(g.outputs.size(), 1), count = of_a.size() / rows;
  for (std::size_t r = 0; r < rows; ++r) {
    double least = 0;
    for (std::size_t k = r * count; k < (r + 1) * count && !g.outputs.empty(); ++k)
      least = std::max(least, negligible * std::abs(of_a[k]));
    for (std::size_t k = r * count; k < (r + 1) * count; ++k) {
      double size = std::max({std::abs(of_a[k]), std::abs(of_b[k]), least});
      if (size > 0) worst = std::max(worst, std::abs(of_a[k] - of_b[k]) / size);
    }
  }
  return worst;
}

/// Derivatives along probes by their names.
nlohmann::json probed(const ReducedGradient& g, const WayResult& way) {
  return by_output(g, way.along, [&](std::span<const double> row) {
    nlohmann::json o = nlohmann::json::object();
    for (std::size_t k = 0; k < row.size(); ++k) o[g.probes[k]] = row[k];
    return o;
  });
}

/// Second derivatives: of one output as `hessian` and `hessian_times`, of several as `hessians` and `hessians_times` by its
/// name.
void add_second(const ReducedGradient& g, nlohmann::json& o) {
  std::size_t n = g.directions.size(), rows = std::max<std::size_t>(g.outputs.size(), 1);
  auto matrix = [&](std::span<const double> H) {
    nlohmann::json by_name = nlohmann::json::object();
    for (std::size_t r = 0; r < n; ++r) by_name[g.directions[r].name] = named(g, H.subspan(r * n, n));
    return by_name;
  };
  for (std::size_t r = 0; r < rows; ++r) {
    auto place = [&](const char* one, const char* several) -> nlohmann::json& {
      return rows == 1 ? o[one] : o[several][g.outputs[r].name];
    };
    if (!g.hessian.empty()) place("hessian", "hessians") = matrix(std::span(g.hessian).subspan(r * n * n, n * n));
    if (!g.product.empty()) place("hessian_times", "hessians_times") = named(g, std::span(g.product).subspan(r * n, n));
  }
}

nlohmann::json report_json(const workflow::Model& model, const ReducedGradient& g, double sign) {
  nlohmann::json o{{"status", "finished"}, {"class", model.class_name}, {"by", transcribe::name_of(g.ways[0].way)}};
  if (g.outputs.empty()) o["objective"] = sign * g.objective;
  for (std::size_t r = 0; r < g.outputs.size(); ++r) o["of"][g.outputs[r].name] = g.values[r];
  o[g.outputs.empty() ? "gradient" : "jacobian"] = derivatives(g, g.ways[0]);
  o["cost"] = {{"simulations", in_simulations(g, g.ways[0])},
               {"seconds", g.ways[0].seconds},
               {"simulation", g.seconds_simulation},
               {"memory", g.ways[0].memory}};
  if (!g.probes.empty()) o["along"] = probed(g, g.ways[0]);
  for (std::size_t w = 1; w < g.ways.size(); ++w) {
    nlohmann::json& check = o["check"][transcribe::name_of(g.ways[w].way)];
    check = {{"difference", difference(g, g.ways[0], g.ways[w])}, {"simulations", in_simulations(g, g.ways[w])}};
    if (g.ways[w].gradient.empty()) check["along"] = probed(g, g.ways[w]);
    else check[g.outputs.empty() ? "gradient" : "jacobian"] = derivatives(g, g.ways[w]);
  }
  add_second(g, o);
  if (!g.hessian.empty()) o["hessian_by"] = transcribe::name_of(g.hessian_by);
  for (const ReducedGradient::Comparison& c : g.hessian_check)
    o["check"]["hessian"][transcribe::name_of(c.way)] = c.difference;
  o["diagnostics"] = to_json(model.diagnostics, model.sources);
  return o;
}

/// What was compared in a few directions only.
void print_probes(const ReducedGradient& g, std::size_t r) {
  std::printf("  %zu directions are many: compared along %zu random combinations of all and the %zu that count most\n",
              g.directions.size(), transcribe::random_probes, g.probes.size() - transcribe::random_probes);
  std::printf("  %-24s", "");
  for (const WayResult& way : g.ways) std::printf(" %16s", transcribe::name_of(way.way));
  std::printf("\n");
  for (std::size_t k = 0; k < g.probes.size(); ++k) {
    std::printf("  %-24s", g.probes[k].c_str());
    for (const WayResult& way : g.ways) std::printf(" %16.9g", row_of(g, r, way.along)[k]);
    std::printf("\n");
  }
}

/// The derivatives of one output, a column for each way.
void print_row(const ReducedGradient& g, std::size_t r) {
  std::printf("  %-24s %16s", "", "value");
  for (const WayResult& way : g.ways)
    if (!way.gradient.empty()) std::printf(" %16s", transcribe::name_of(way.way));
  std::printf("\n");
  for (std::size_t k = 0; k < g.directions.size(); ++k) {
    std::printf("  %-24s %16.9g", g.directions[k].name.c_str(), g.directions[k].value);
    for (const WayResult& way : g.ways)
      if (!way.gradient.empty()) std::printf(" %16.9g", row_of(g, r, way.gradient)[k]);
    std::printf("\n");
  }
  if (!g.probes.empty()) print_probes(g, r);
}

/// The second derivatives of one output.
void print_second(const ReducedGradient& g, std::size_t row) {
  std::size_t n = g.directions.size();
  std::string of = g.outputs.size() > 1 ? " of " + g.outputs[row].name : "";
  if (!g.hessian.empty()) std::printf("  second derivatives%s by %s\n", of.c_str(), transcribe::name_of(g.hessian_by));
  for (std::size_t r = 0; !g.hessian.empty() && r < n; ++r) {
    std::printf("  %-24s", g.directions[r].name.c_str());
    for (std::size_t c = 0; c <= r; ++c) std::printf(" %16.9g", g.hessian[(row * n + r) * n + c]);
    std::printf("\n");
  }
  if (g.product.empty()) return;
  std::printf("  second derivatives%s times the direction\n", of.c_str());
  for (std::size_t k = 0; k < n; ++k) std::printf("  %-24s %16.9g\n", g.directions[k].name.c_str(), g.product[row * n + k]);
}

void print_gradient(const workflow::Model& model, const ReducedGradient& g, double sign) {
  const char* by = transcribe::name_of(g.ways[0].way);
  if (g.outputs.empty()) {
    std::printf("%s: objective %s, its gradient by %s\n", model.class_name.c_str(), readable(sign * g.objective).c_str(),
                by);
    print_row(g, 0);
  }
  for (std::size_t r = 0; r < g.outputs.size(); ++r) {
    std::printf("%s: %s = %s, its gradient by %s\n", model.class_name.c_str(), g.outputs[r].name.c_str(),
                readable(g.values[r]).c_str(), by);
    print_row(g, r);
  }
  for (std::size_t r = 0; r < std::max<std::size_t>(g.outputs.size(), 1); ++r) print_second(g, r);
  for (const ReducedGradient::Comparison& c : g.hessian_check)
    std::printf("  they differ from %s by %s\n",
                c.way == transcribe::GradientWay::differences ? "differences of gradients" : transcribe::name_of(c.way),
                readable(c.difference).c_str());
  for (const WayResult& way : g.ways)
    std::printf("  cost by %-12s %.1f simulations of %.2g s%s\n", transcribe::name_of(way.way), in_simulations(g, way),
                g.seconds_simulation,
                &way == &g.ways[0] ? "" : (", differs by " + readable(difference(g, g.ways[0], way))).c_str());
}

/// Are derivatives those of the steps of an integrator of ours?
bool takes_steps(const Arguments& arguments) {
  std::string integrator;
  for (const auto& [name, value] : arguments.method.options)
    if (name == "integrator") integrator = value;
  return integrator.empty() ? arguments.gradient.by == "discrete" : integrator != "cvodes" && integrator != "idas";
}

}  // namespace

int run_gradient(const Arguments& arguments) {
  Sources sources;
  Diagnostics diagnostics;
  auto options = solver_options(arguments, sources, diagnostics);
  if (!options) return refuse_input(diagnostics, sources, arguments);
  workflow::GradientJob job;
  job.load = load_request(arguments);
  job.load.options = sources;
  job.outputs = arguments.gradient.outputs;
  job.as_written = arguments.gradient.original;
  job.gradient = {.options = *options,
                  .by = arguments.gradient.by,
                  .directions = arguments.gradient.directions,
                  .outputs = {},
                  .fixed_step = arguments.gradient.step,
                  .check = arguments.gradient.check,
                  .hessian = arguments.gradient.hessian,
                  .written = arguments.gradient.original && takes_steps(arguments),
                  .method_options = arguments.method.of_integrator,
                  .times = arguments.gradient.hessian_times,
                  .progress = {}};
  Watcher watcher(arguments);
  workflow::JobRun<workflow::GradientResult> run = workflow::run(job, watcher);
  watcher.line.clear();
  workflow::Model& model = *run.model;
  if (!run.outcome) return refuse_input(model.diagnostics, model.sources, arguments);
  double sign = model.problem.maximize ? -1 : 1;
  print_diagnostics(model.diagnostics, model.sources, arguments);
  if (arguments.print.json) print_json(report_json(model, *run.outcome, sign));
  else print_gradient(model, *run.outcome, sign);
  return fine;
}

}  // namespace bolza::cli
