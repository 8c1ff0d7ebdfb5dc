// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "base/numbers.h"
#include "workflow/codes.h"
#include "workflow/fit/petab/tables_internal.h"
#include "workflow/sbml_codes.h"

namespace bolza::workflow::petab {
namespace {

using PriorKind = estimate::Prior::Kind;

/// What a word of the tables means, and which numbers belong to it.
struct PriorWord {
  PriorKind kind;
  bool on_scale = false;
  const char* numbers = "a location and a positive width, separated by `;`";
};

using PriorWords = std::map<std::string, PriorWord, std::less<>>;
constexpr const char *ends = "a lower and a larger upper end, separated by `;`",
                     *logarithmic_ends = "a positive lower and a larger upper end, separated by `;`";

const PriorWords& words_of(int version) {
  static const PriorWords of_1{{"parameterScaleUniform", {PriorKind::uniform, true, ends}},
                               {"parameterScaleNormal", {PriorKind::normal, true}},
                               {"parameterScaleLaplace", {PriorKind::laplace, true}},
                               {"uniform", {PriorKind::uniform, false, ends}},
                               {"normal", {PriorKind::normal}},
                               {"laplace", {PriorKind::laplace}},
                               {"logNormal", {PriorKind::log_normal}},
                               {"logLaplace", {PriorKind::log_laplace}}};
  static const PriorWords of_2{
      {"cauchy", {PriorKind::cauchy}},
      {"chisquare", {PriorKind::gamma, false, "one positive number, the degrees of freedom"}},
      {"exponential", {PriorKind::gamma, false, "one positive number, the scale"}},
      {"gamma", {PriorKind::gamma, false, "a positive shape and a positive scale, separated by `;`"}},
      {"laplace", {PriorKind::laplace}},
      {"log-laplace", {PriorKind::log_laplace}},
      {"log-normal", {PriorKind::log_normal}},
      {"log-uniform", {PriorKind::log_uniform, false, logarithmic_ends}},
      {"normal", {PriorKind::normal}},
      {"rayleigh", {PriorKind::rayleigh, false, "one positive number, the scale"}},
      {"uniform", {PriorKind::uniform, false, ends}}};
  return version == 1 ? of_1 : of_2;
}

std::string joined(const PriorWords& words) {
  std::string out;
  for (const auto& [word, prior] : words) out += (out.empty() ? "" : ", ") + word;
  return out;
}

/// The prior with its numbers; absent: they are not what the word asks for.
std::optional<estimate::Prior> with_numbers(const std::string& word, const PriorWord& of, const std::string& text) {
  std::vector<double> numbers;
  for (const std::string& one : split(text)) {
    std::optional<double> number = number_in(one);
    if (!number || !std::isfinite(*number)) return {};
    numbers.push_back(*number);
  }
  bool one = word == "chisquare" || word == "exponential" || word == "rayleigh";
  if (numbers.size() != (one ? 1U : 2U)) return {};
  if (word == "chisquare") numbers = {0.5 * numbers[0], 2};
  else if (one) numbers = {1, numbers[0]};
  bool has_ends = of.kind == PriorKind::uniform || of.kind == PriorKind::log_uniform;
  if (!(numbers[1] > (has_ends ? numbers[0] : 0))) return {};
  if ((of.kind == PriorKind::gamma || of.kind == PriorKind::log_uniform) && !(numbers[0] > 0)) return {};
  return estimate::Prior{.kind = of.kind, .location = numbers[0], .width = numbers[1], .on_scale = of.on_scale};
}

}  // namespace

/// In version 2 a prior is the density within the bounds of its parameter.
Result<estimate::Prior> Reader::prior(const TextTable& table, const Row& row) {
  Column type = of_version(table, "objectivePriorType", "priorDistribution");
  if (!type.at || is_missing(type.cell(row))) return estimate::Prior{};
  const PriorWords& words = words_of(files_.version);
  auto word = words.find(type(row));
  if (word == words.end()) return diagnostics_.error(unknown_word, type.cell(row).span, {type(row), joined(words)});
  Column column = of_version(table, "objectivePriorParameters", "priorParameters");
  bool uniform = word->second.kind == PriorKind::uniform;
  if (uniform && (!column.at || is_missing(column.cell(row)))) return estimate::Prior{};  // over the bounds
  std::optional<estimate::Prior> out = with_numbers(word->first, word->second, column(row));
  if (!out)
    return diagnostics_.error(petab_value, (column.at ? column : type).cell(row).span,
                              {column(row), "what the prior `" + type(row) + "` needs", word->second.numbers});
  out->is_truncated = files_.version == 2;
  return *out;
}

/// No value is outside of what a prior allows.
void Reader::bound_by_prior(FitParameter& p) {
  const estimate::Prior& prior = p.prior;
  auto end = [&](double y) { return prior.on_scale ? estimate::from_scale(y, p.scale) : y; };
  bool has_ends = prior.kind == PriorKind::uniform || prior.kind == PriorKind::log_uniform;
  bool positive = prior.is_truncated && (prior.kind == PriorKind::gamma || prior.kind == PriorKind::rayleigh ||
                                         prior.kind == PriorKind::log_normal || prior.kind == PriorKind::log_laplace);
  if (has_ends || positive) p.lower = std::max(p.lower.value_or(-infinity), has_ends ? end(prior.location) : 0);
  if (has_ends) p.upper = std::min(p.upper.value_or(infinity), end(prior.width));
}

/// In version 2 parameters without a prior beside others that have one are distributed evenly between their bounds.
void Reader::complete_priors() {
  auto has_prior = [](const FitParameter& p) { return p.prior.kind != PriorKind::none; };
  if (files_.version == 1 || std::ranges::none_of(out_.parameters, has_prior)) return;
  for (FitParameter& p : out_.parameters) {
    bool bounded = p.lower && p.upper && std::isfinite(*p.lower) && std::isfinite(*p.upper) && *p.lower < *p.upper;
    if (has_prior(p) || !bounded) continue;
    p.prior = {.kind = PriorKind::uniform, .location = *p.lower, .width = *p.upper, .is_truncated = true};
  }
}

}  // namespace bolza::workflow::petab
