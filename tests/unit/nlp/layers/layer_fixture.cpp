// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/nlp/layers/layer_fixture.h"

#include <algorithm>
#include <cmath>

namespace bolza::nlp::testing {

PassedLayer pass(std::string_view name, SolveTask task) {
  PassedLayer out{layer_named(name).make(), std::move(task), {}, Passage::beside};
  out.passage = out.layer->up(out.task, out.answer);
  return out;
}

std::vector<PreparedEngine::Asked> PreparedEngine::asked;
std::vector<Report> PreparedEngine::reports;
const Engine PreparedEngine::engine{.name = "prepared",
                                    .exact_hessian = true,
                                    .available = [] { return true; },
                                    .solve =
                                        [](const Nlp&, const EngineOptions& options, const Iterate& start) {
                                          asked.push_back({options, start});
                                          return reports.at(std::min(asked.size(), reports.size()) - 1);
                                        }};

double kkt_by_differences(const Nlp& nlp, const Iterate& it, double h) {
  Functions& functions = *nlp.functions;
  auto at = [&](std::vector<double> w, double& f) {
    functions.move_to(w);
    const double* g = functions.constraints();
    bool finite = functions.objective(f) && g;
    return finite ? std::vector<double>(g, g + nlp.m()) : std::vector<double>(nlp.m(), std::nan(""));
  };
  double worst = 0, f = 0, ahead = 0, behind = 0;
  auto look = [&](double value) { worst = value <= worst ? worst : value; };  // NaN is the worst
  auto side = [&](double multiplier, double distance) {
    look(-multiplier), look(-distance), look(multiplier == 0 ? 0 : std::abs(multiplier * distance));
  };
  std::vector<double> g = at(it.w, f);
  for (std::size_t v = 0; v < nlp.n(); ++v) {
    std::vector<double> up = it.w, down = it.w;
    up[v] += h, down[v] -= h;
    std::vector<double> g_up = at(up, ahead), g_down = at(down, behind);
    double slope = (ahead - behind) / (2 * h) + it.z_upper[v] - it.z_lower[v];
    for (std::size_t r = 0; r < nlp.m(); ++r) slope += it.lambda[r] * (g_up[r] - g_down[r]) / (2 * h);
    look(std::abs(slope));
    side(it.z_lower[v], it.w[v] - nlp.lower[v]), side(it.z_upper[v], nlp.upper[v] - it.w[v]);
  }
  for (std::size_t r = 0; r < nlp.m(); ++r) {
    bool equation = nlp.row_lower[r] == nlp.row_upper[r];
    side(equation ? 0 : std::max(0.0, -it.lambda[r]),
         equation ? std::abs(g[r] - nlp.row_lower[r]) : g[r] - nlp.row_lower[r]);
    side(equation ? 0 : std::max(0.0, it.lambda[r]), equation ? 0 : nlp.row_upper[r] - g[r]);
    if (equation) look(std::abs(g[r] - nlp.row_lower[r]));
  }
  return worst;
}

Formulas reducible() {
  return {
      .start = {0, 2, 0, 1},
      .lower = {-10, 2, -10, -infinite},
      .upper = {10, 2, 10, infinite},
      .objective = [](X x) { return (x[1] - 3) * (x[1] - 3) + x[1] * x[4] + 0.5 * x[4] * x[4] + x[2] * x[3] + x[3] * x[3]; },
      .rows = [](X x) -> Rows { return {x[4] - x[1] == 0, 1.0 * x[2] <= 5, x[1] + x[2] + x[3] >= 3}; }};
}

}  // namespace bolza::nlp::testing
