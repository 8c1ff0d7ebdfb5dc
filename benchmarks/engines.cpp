// Solves the test examples of [HS1981] with every engine and every matrix of second derivatives that it takes, and prints
// one JSON object a line: what scripts/engines makes docs/engines.md of. bolza_bench_engines [engine [number]]
#include <cmath>
#include <cstdio>
#include <string>
#include <string_view>

#include "runtime/nlp/engine_table.h"
#include "runtime/nlp/solve.h"
#include "tests/unit/nlp/hock_schittkowski/hock_schittkowski.h"

namespace {

using namespace bolza::nlp;
using testing::FormulaNlp;
using testing::HockSchittkowski;

const char* text_of(Hessian hessian) {
  return hessian == Hessian::exact ? "exact" : hessian == Hessian::lbfgs ? "lbfgs" : "gauss_newton";
}

const char* text_of(Status status) {
  constexpr const char* texts[] = {
      "solved",    "acceptable",       "infeasible",  "iteration_limit", "time_limit",
      "diverging", "evaluation_error", "interrupted", "bad_option",      "too_few_degrees_of_freedom",
      "failed"};
  return texts[static_cast<std::size_t>(status)];
}

bool takes(const Engine& engine, Hessian hessian, const Nlp& nlp) {
  if (hessian == Hessian::exact) return engine.exact_hessian;
  if (hessian == Hessian::lbfgs) return engine.lbfgs;
  return engine.gauss_newton && nlp.gauss_newton.size() > 0;
}

void print(const Engine& engine, Hessian hessian, const HockSchittkowski& hs) {
  FormulaNlp problem(hs.formulas);
  if (!takes(engine, hessian, problem.nlp)) return;
  Report report = solve(problem.nlp, {.engine = std::string(engine.name), .hessian = hessian});
  const testing::Evaluations& count = problem.evaluations;
  std::string other;
  for (double optimum : hs.other_optima) other += (other.empty() ? "" : ", ") + std::to_string(optimum);
  std::printf(
      "{\"problem\": %d, \"n\": %zu, \"m\": %zu, \"engine\": \"%s\", \"hessian\": \"%s\", \"status\": \"%s\", "
      "\"objective\": %.12g, "
      "\"optimum\": %.12g, \"other_optima\": [%s], \"primal\": %.3g, \"dual\": %.3g, \"complementarity\": %.3g, "
      "\"iterations\": "
      "%d, \"values\": %d, \"gradients\": %d, \"hessians\": %d}\n",
      hs.number, problem.nlp.n(), problem.nlp.m(), std::string(engine.name).c_str(), text_of(hessian),
      text_of(report.status), report.objective, hs.optimum, other.c_str(), report.primal_infeasibility,
      report.dual_infeasibility, report.complementarity, report.iterations, count.objective, count.gradient, count.hessian);
}

}  // namespace

int main(int argc, char** argv) {
  std::string_view only_engine = argc > 1 ? argv[1] : "";
  int only_number = argc > 2 ? std::stoi(argv[2]) : 0;
  for (const Engine* engine : engines()) {
    if (!engine->available() || (!only_engine.empty() && engine->name != only_engine)) continue;
    for (const HockSchittkowski& hs : testing::hock_schittkowski())
      for (Hessian hessian : {Hessian::exact, Hessian::lbfgs, Hessian::gauss_newton})
        if (only_number == 0 || hs.number == only_number) print(*engine, hessian, hs);
  }
}
