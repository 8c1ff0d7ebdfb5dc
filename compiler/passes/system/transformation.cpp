// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/system/transformation.h"

#include <utility>

namespace bolza::passes {
namespace {

constexpr std::pair<std::string_view, Form> forms[] = {
    {"explicit", Form::explicit_rates}, {"reduced", Form::reduced}, {"original", Form::original}};
constexpr std::pair<std::string_view, Units> ways_with_units[] = {
    {"ignore", Units::ignore}, {"warn", Units::warn}, {"strict", Units::strict}};

}  // namespace

std::optional<Form> form_named(std::string_view name) {
  for (auto [word, form] : forms)
    if (word == name) return form;
  return {};
}

std::optional<Units> units_named(std::string_view name) {
  for (auto [word, units] : ways_with_units)
    if (word == name) return units;
  return {};
}

}  // namespace bolza::passes
