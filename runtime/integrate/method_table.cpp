#include "runtime/integrate/method_table.h"

#include <algorithm>
#include <array>

namespace bolza::integrate {

extern const Method cvodes, cvodes_adams, idas, radau5, dopri5, rk4, explicit_euler, implicit_midpoint, sdirk, grk4, adams,
    enright, enright_semi, taylor;  // one file each under methods/

namespace {

constexpr std::array rows{
    &cvodes, &cvodes_adams, &idas,  &radau5,  &dopri5,       &rk4,   &explicit_euler, &implicit_midpoint,
    &sdirk,  &grk4,         &adams, &enright, &enright_semi, &taylor};

}  // namespace

std::span<const Method* const> methods() { return rows; }

const Method* find_method(std::string_view name) {
  auto alike = [](char a, char b) { return a == b || (a == '_' && b == '-'); };
  for (const Method* m : rows)
    if (std::equal(m->name.begin(), m->name.end(), name.begin(), name.end(), alike)) return m;
  return nullptr;
}

}  // namespace bolza::integrate
