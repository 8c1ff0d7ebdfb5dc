// SPDX-License-Identifier: Apache-2.0
#include "runtime/integrate/method_table.h"

#include <algorithm>
#include <array>

#include "runtime/abi/evaluate.h"

namespace bolza::integrate {

extern const Method cvodes, cvodes_adams, idas, radau5, dopri5, rk4, explicit_euler, implicit_midpoint, sdirk, grk4, adams,
    enright, enright_semi, taylor;  // one file each under methods/

namespace {

constexpr std::array method_rows{
    &cvodes, &cvodes_adams, &idas,  &radau5,  &dopri5,       &rk4,   &explicit_euler, &implicit_midpoint,
    &sdirk,  &grk4,         &adams, &enright, &enright_semi, &taylor};

}  // namespace

std::span<const Method* const> methods() { return method_rows; }

const Method* find_method(std::string_view name) {
  auto alike = [](char a, char b) { return a == b || (a == '_' && b == '-'); };
  for (const Method* m : method_rows)
    if (std::equal(m->name.begin(), m->name.end(), name.begin(), name.end(), alike)) return m;
  return nullptr;
}

std::string Method::objection_to_derivatives(const bolza_problem& problem, const bolza_model& model) const {
  if (!curved) return "";
  for (bolza_function* f : {model.rates, model.residuals})
    if (f && !abi::ensure(problem, *f, BOLZA_HESSIAN)) {
      std::string others;
      for (const Method* m : method_rows)
        if (m->discrete() && !m->curved && m->stiff == stiff && !m->objection)
          others += (others.empty() ? "`" : ", `") + std::string(m->name) + "`";
      return "derivatives of its steps need second derivatives of the equations, which a function that they call does not "
             "offer; those of " +
             others + " need first derivatives only";
    }
  return "";
}

}  // namespace bolza::integrate
