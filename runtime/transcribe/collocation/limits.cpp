// SPDX-License-Identifier: Apache-2.0
#include "runtime/transcribe/collocation/limits.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "base/numbers.h"
#include "runtime/transcribe/collocation/bounds.h"

namespace bolza::transcribe {
namespace {

std::optional<Limit> limit_of(const Transcription& t, const RowBlock& block) {
  bool path = block.role == nlp::RowRole::path;
  const bolza_row* row = path || block.role == nlp::RowRole::point ? row_of(t, block) : nullptr;
  if (!row) return {};
  Limit limit{path ? Limit::Kind::path : Limit::Kind::point, block.phase, block.index};
  limit.text = row->name ? row->name : "";
  if (row->source.file) limit.file = row->source.file;
  limit.line = row->source.line;
  limit.column = row->source.column;
  return limit;
}

std::optional<Limit::Kind> kind_of(QuantityKind quantity) {
  switch (quantity) {
    case QuantityKind::state:
      return Limit::Kind::state;
    case QuantityKind::algebraic:
      return Limit::Kind::algebraic;
    case QuantityKind::control:
      return Limit::Kind::control;
    case QuantityKind::parameter:
      return Limit::Kind::parameter;
    case QuantityKind::rate:
    case QuantityKind::integral:
      break;
  }
  return {};
}

/// Times keep their lower bounds: an infinite horizon explains nothing.
bool keeps_lower(const VariableBlock& block) { return block.role == nlp::VariableRole::time; }

/// "0 <= u <= 1"
std::string text_of_bounds(const bolza_variable& v, bool lower) {
  std::string text = v.name ? v.name : "";
  if (lower && v.min == v.max) return text + " = " + shown(v.min);
  if (lower && std::isfinite(v.min))
    text = std::isfinite(v.max) ? shown(v.min) + " <= " + text : text + " >= " + shown(v.min);
  return std::isfinite(v.max) ? text + " <= " + shown(v.max) : text;
}

std::optional<Limit> limit_of(const Transcription& t, const VariableBlock& block) {
  std::optional<Limit::Kind> kind = kind_of(block.quantity);
  bool of_variable = block.role != nlp::VariableRole::point_value && block.role != nlp::VariableRole::integral;
  const bolza_variable* v = kind && of_variable ? variable_of(t, block) : nullptr;
  if (!v || (v->fixed && block.quantity == QuantityKind::parameter)) return {};
  bool lower = !keeps_lower(block);
  if (!(lower && std::isfinite(v->min)) && !std::isfinite(v->max)) return {};
  Limit limit{*kind, block.phase, block.index, text_of_bounds(*v, lower)};
  if (v->source.file) limit.file = v->source.file;
  limit.line = v->source.line;
  limit.column = v->source.column;
  return limit;
}

/// Whether the variable has this value whatever its bounds are: a start value.
bool is_given(const Transcription& t, const VariableBlock& block, std::size_t v) {
  const bolza_variable* variable = variable_of(t, block);
  return t.nlp.lower[v] == t.nlp.upper[v] && variable && variable->min != variable->max;
}

/// Calls `rows(limit, block)` and `variables(limit, block)` for the blocks of every limit.
template <class SeeRows, class SeeVariables>
void for_limits(Transcription& t, SeeRows rows, SeeVariables variables) {
  for (const RowBlock& block : t.plan.numbering.rows)
    if (std::optional<Limit> limit = limit_of(t, block)) rows(*limit, block);
  for (const VariableBlock& block : t.plan.numbering.variables)
    if (std::optional<Limit> limit = limit_of(t, block)) variables(*limit, block);
}

/// Moves bounds that `value` breaks.
void widen(double share, double value, double& lower, double& upper) {
  if (value < lower) lower -= share * (lower - value);
  else if (value > upper) upper += share * (value - upper);
}

}  // namespace

std::vector<Limit> limits_of(const Transcription& t) {
  std::vector<Limit> limits;
  auto add = [&](const auto& block) {
    std::optional<Limit> limit = limit_of(t, block);
    if (limit && std::none_of(limits.begin(), limits.end(), [&](const Limit& l) { return l.same_as(*limit); }))
      limits.push_back(*std::move(limit));
  };
  for (const RowBlock& block : t.plan.numbering.rows) add(block);
  for (const VariableBlock& block : t.plan.numbering.variables) add(block);
  return limits;
}

void let_go(Transcription& t, std::span<const Limit> limits) {
  auto chosen = [&](const Limit& limit) {
    return std::any_of(limits.begin(), limits.end(), [&](const Limit& l) { return l.same_as(limit); });
  };
  nlp::Nlp& nlp = t.nlp;
  for_limits(
      t,
      [&](const Limit& limit, const RowBlock& block) {
        if (!chosen(limit)) return;
        std::fill_n(nlp.row_lower.begin() + static_cast<std::ptrdiff_t>(block.first), block.count, -INFINITY);
        std::fill_n(nlp.row_upper.begin() + static_cast<std::ptrdiff_t>(block.first), block.count, INFINITY);
      },
      [&](const Limit& limit, const VariableBlock& block) {
        if (!chosen(limit)) return;
        for (std::size_t v = block.first; v < block.first + block.count; ++v) {
          if (is_given(t, block, v)) continue;
          if (!keeps_lower(block)) nlp.lower[v] = -INFINITY;
          nlp.upper[v] = INFINITY;
        }
      });
}

void widen(Transcription& t, double share) {
  nlp::Nlp& nlp = t.nlp;
  t.evaluator->move_to(nlp.start);
  const double* g = t.evaluator->constraints();
  if (!g) return;
  for_limits(
      t,
      [&](const Limit&, const RowBlock& block) {
        for (std::size_t r = block.first; r < block.first + block.count; ++r)
          widen(share, g[r], nlp.row_lower[r], nlp.row_upper[r]);
      },
      [&](const Limit&, const VariableBlock& block) {
        for (std::size_t v = block.first; v < block.first + block.count; ++v)
          if (!is_given(t, block, v) && !keeps_lower(block)) widen(share, nlp.start[v], nlp.lower[v], nlp.upper[v]);
      });
}

}  // namespace bolza::transcribe
