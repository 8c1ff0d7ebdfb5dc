// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/result/fixture.h"

#include <cmath>
#include <limits>

namespace bolza::result {
namespace {

constexpr double inf = std::numeric_limits<double>::infinity();

int rates(const bolza_call* c) {
  for (std::size_t i = 0; i < c->n; ++i) {
    c->out[i] = c->point[2 * c->ld + i];
    c->out[c->ld + i] = -c->point[c->ld + i];
  }
  return 0;
}

int outputs(const bolza_call* c) {
  for (std::size_t i = 0; i < c->n; ++i) c->out[i] = c->point[c->ld + i] + c->shared[2] * c->point[2 * c->ld + i];
  return 0;
}

bolza_variable variable(const char* name, const char* unit, double start, double min = -inf, double max = inf) {
  bolza_variable v{};
  v.name = name, v.unit = unit, v.description = "a variable", v.start = start, v.min = min, v.max = max, v.nominal = 1;
  v.source = {"oscillator.mop", 3, 8};
  return v;
}

const bolza_group rates_group{.instances = 1, .slots = 0, .points = rates}, outputs_group{.instances = 1, .points = outputs};
const bolza_kernels rates_kernels{.n_out = 2, .n_groups = 1, .groups = &rates_group};
const bolza_kernels outputs_kernels{.n_out = 1, .n_groups = 1, .groups = &outputs_group};
const bolza_variable states[] = {variable("x1", "m", 1), variable("x2", "m/s", 0.5)};
const bolza_variable controls[] = {variable("u", "N", 0, -1, 1)};
const bolza_variable shared[] = {variable("startTime", "s", 0), variable("finalTime", "s", 4), variable("k", "", 1, 0, 2.5)};
const double shared_data[] = {0, 4, 1};
const bolza_row path_rows[] = {{"x1 <= 5", {"oscillator.mop", 9, 3}, -inf, 5}};
const bolza_output results[] = {
    {"minus_x1", "m", "", {}, 0, 1, -1, 0}, {"shifted", "m", "", {}, 0, 1, -1, 10}, {"sum", "m", "", {}, 1, 0, 1, 0}};
const int32_t parameter_of[] = {0, 1, 2};
const bolza_phase phase{"", 0, shared_data, parameter_of};

bolza_function rates_function, outputs_function, residuals_function;
bolza_model model;
bolza_model* models[] = {&model};
bolza_variable parameters[3];

void build() {
  rates_function = {.name = "rates", .n_point = 4, .n_shared = 3, .n_global = 3, .n_rows = 2};
  rates_function.kernels[BOLZA_VALUE] = &rates_kernels;
  outputs_function = {.name = "outputs", .n_point = 4, .n_shared = 3, .n_global = 3, .n_rows = 1};
  outputs_function.kernels[BOLZA_VALUE] = &outputs_kernels;
  residuals_function = {.name = "residuals", .n_point = 4, .n_shared = 3, .n_global = 3, .n_rows = 1, .rows = path_rows};
  model = {.name = "Oscillator",
           .n_x = 2,
           .n_u = 1,
           .n_g = 1,
           .n_shared = 3,
           .n_global = 3,
           .n_outputs = 3,
           .x = states,
           .u = controls,
           .shared = shared,
           .shared_values = shared_data,
           .rates = &rates_function,
           .residuals = &residuals_function,
           .outputs = &outputs_function,
           .results = results};
  for (int i = 0; i < 3; ++i) parameters[i] = shared[i];
  parameters[0].fixed = parameters[1].fixed = 1;
}

}  // namespace

double Fixture::x1(double t) { return std::cos(t); }
double Fixture::x2(double t) { return -std::sin(t); }

Fixture::Fixture() {
  build();
  problem.version = BOLZA_ABI_VERSION, problem.name = "Oscillator", problem.n_models = problem.n_phases = 1;
  problem.models = models, problem.phases = &phase, problem.n_parameters = 3, problem.parameters = parameters;
  solution.status = abi::SolveStatus::solved, solution.objective = 3.25, solution.parameters = {0, 4, 2.5};
  solution.parameter_multipliers = {0, 0, 0.125};
  abi::PhaseSolution p;
  p.final_time = 4, p.mesh = {0, 0.5, 1}, p.transcription = "radau", p.points = 3;
  abi::Trajectories& t = p.trajectories;
  t.time = {0, 1, 2, 2, 4};
  t.x.resize(2), t.rate.resize(2), t.costate.resize(2);
  for (double s : t.time) {
    t.x[0].push_back(x1(s)), t.x[1].push_back(x2(s));
    t.rate[0].push_back(x2(s)), t.rate[1].push_back(-x1(s));
    t.costate[0].push_back(2 * s), t.costate[1].push_back(-s);
  }
  t.u = {{-1, -1, -1, 1, 1}};
  t.path_multiplier = {{0, 0, 0.5, 0.5, 0}};
  solution.phases.push_back(std::move(p));
  solution.statistics = {.variables = 12,
                         .constraints = 8,
                         .jacobian_nonzeros = 40,
                         .hessian_nonzeros = 20,
                         .iterations = 7,
                         .seconds_evaluation = 0.001,
                         .seconds_total = 0.02,
                         .primal_infeasibility = 1e-11};
}

}  // namespace bolza::result
