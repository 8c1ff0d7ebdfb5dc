// SPDX-License-Identifier: Apache-2.0
#include "compiler/driver/method_pairs.h"

#include <algorithm>

#include "compiler/driver/option_table.h"

namespace bolza::driver {
namespace {

std::string_view engine_half(std::string_view name) { return name.substr(0, name.find('+')); }
std::string_view steps_half(std::string_view name) {
  std::size_t plus = name.find('+');
  return plus == name.npos ? std::string_view() : name.substr(plus + 1);
}

std::string_view value_of(const MethodRow& row, std::string_view wanted) {
  for (auto [name, value] : row.options)
    if (name == wanted) return value;
  return {};
}

/// The first row that can run and that `fits`, or null.
template <class Fits>
const MethodRow* first_row(const Fits& fits) {
  for (const MethodRow& row : method_table())
    if (row.name.find('+') != row.name.npos && fits(row)) return &row;
  return nullptr;
}

bool is_of_engine(std::string_view option) { return option == "nlp" || option == "hessian"; }

bool is_collocation(std::string_view name) {
  std::span<const OptionRow> options = option_table();
  auto row = std::find_if(options.begin(), options.end(), [](const OptionRow& o) { return o.name == "transcription"; });
  return !name.empty() && !name.ends_with("shooting") && std::ranges::find(row->choices, name) != row->choices.end();
}

}  // namespace

std::vector<std::pair<std::string, std::string>> options_of_pair(std::string_view name) {
  std::string_view engine = engine_half(name), steps = steps_half(name);
  bool alone = name.find('+') == name.npos;
  const MethodRow* of_engine = first_row([&](const MethodRow& row) { return engine_half(row.name) == engine; });
  const MethodRow* of_steps = first_row([&](const MethodRow& row) { return steps_half(row.name) == steps; });
  if (!of_engine || (!alone && !of_steps && !is_collocation(steps))) return {};
  std::vector<std::pair<std::string, std::string>> out;
  for (auto [option, value] : of_engine->options)
    if (is_of_engine(option)) out.emplace_back(option, value);
  if (alone || !of_steps) {
    out.emplace_back("transcription", alone ? "radau" : steps);
    return out;
  }
  bool integrates = !value_of(*of_steps, "integrator").empty();
  for (auto [option, value] : of_steps->options)
    if (!option.empty() && !is_of_engine(option) && !(integrates && option == "transcription"))
      out.emplace_back(option, value);
  if (integrates) {
    const MethodRow* own = first_row(
        [&](const MethodRow& row) { return engine_half(row.name) == engine && !value_of(row, "integrator").empty(); });
    out.emplace_back("transcription", own ? value_of(*own, "transcription") : "single-shooting");
  }
  return out;
}

}  // namespace bolza::driver
