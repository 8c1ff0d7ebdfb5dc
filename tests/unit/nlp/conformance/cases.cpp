// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/nlp/conformance/cases.h"

#include <algorithm>

namespace bolza::nlp::testing {

const char* name_of(Hessian hessian) {
  switch (hessian) {
    case Hessian::exact:
      return "exact";
    case Hessian::lbfgs:
      return "lbfgs";
    case Hessian::gauss_newton:
      return "gauss_newton";
  }
  return "?";
}

const char* name_of(Status status) {
  switch (status) {
    case Status::solved:
      return "solved";
    case Status::acceptable:
      return "acceptable";
    case Status::infeasible:
      return "infeasible";
    case Status::iteration_limit:
      return "iteration limit";
    case Status::time_limit:
      return "time limit";
    case Status::diverging:
      return "diverging";
    case Status::evaluation_error:
      return "evaluation error";
    case Status::interrupted:
      return "interrupted";
    case Status::bad_option:
      return "bad option";
    case Status::failed:
      return "failed";
  }
  return "?";
}

std::string EngineCase::name() const { return std::string(engine->name) + ", " + name_of(hessian); }

EngineOptions EngineCase::options() const { return {.engine = std::string(engine->name), .hessian = hessian}; }

std::vector<EngineCase> cases_for(const Nlp& nlp) {
  std::vector<EngineCase> cases;
  for (const Engine* engine : engines()) {
    if (!engine->available() || (!engine->constraints && nlp.m() > 0)) continue;
    if (engine->exact_hessian) cases.push_back({engine, Hessian::exact});
    if (engine->lbfgs) cases.push_back({engine, Hessian::lbfgs});
    if (engine->gauss_newton && nlp.gauss_newton.size() > 0) cases.push_back({engine, Hessian::gauss_newton});
  }
  return cases;
}

const EngineException* exception_for(const EngineCase& the_case, std::string_view topic) {
  // without whole numbers BONMIN hands the problem to IPOPT
  std::string_view engine = the_case.engine->name == "bonmin" ? "ipopt" : the_case.engine->name;
  for (const EngineException& e : engine_exceptions())
    if (e.engine == engine && (e.hessian.empty() || e.hessian == name_of(the_case.hessian)) && e.topic == topic) return &e;
  return nullptr;
}

}  // namespace bolza::nlp::testing
