// SPDX-License-Identifier: Apache-2.0
#include "runtime/transcribe/collocation/solution_diagnostics.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

#include "base/numbers.h"
#include "runtime/transcribe/collocation/bounds.h"

namespace bolza::transcribe {
namespace {

constexpr double no_time = std::numeric_limits<double>::quiet_NaN();

void put_source(abi::Finding& finding, const bolza_source& source) {
  if (source.file) finding.file = source.file;
  finding.line = source.line;
  finding.column = source.column;
}

double time_of(const Transcription& t, const std::vector<double>& w, std::int32_t phase, std::int32_t first_interval,
               std::size_t i, double place) {
  if (phase < 0 || first_interval == nlp::global) return no_time;
  const PhaseLayout& layout = t.phases[static_cast<std::size_t>(phase)];
  double t0 = w[static_cast<std::size_t>(layout.phase->parameter[0])],
         tf = w[static_cast<std::size_t>(layout.phase->parameter[1])];
  if (layout.N == 0) return t0;
  std::size_t interval = static_cast<std::size_t>(first_interval) + i;
  if (interval >= layout.N) return tf;
  return between(layout.mesh.point[interval], layout.mesh.point[interval + 1], place).at(t0, tf);
}

std::string name_of_row(const Transcription& t, const RowBlock& block) {
  if (const bolza_row* row = row_of(t, block); row && row->name) return row->name;
  switch (block.role) {
    case nlp::RowRole::defect:
    case nlp::RowRole::continuity: {
      const bolza_variable& x = t.problem->models[t.problem->phases[block.phase].model]->x[block.index];
      return "der(" + std::string(x.name ? x.name : "") + ")";
    }
    case nlp::RowRole::extra_point: {
      const bolza_variable& u = t.problem->models[t.problem->phases[block.phase].model]->u[block.index];
      return std::string(u.name ? u.name : "") + " extrapolated";
    }
    case nlp::RowRole::algebraic:
      return "equation " + std::to_string(block.index + 1);
    case nlp::RowRole::path:
      return "path constraint " + std::to_string(block.index + 1);
    case nlp::RowRole::initial:
      return "initial equation " + std::to_string(block.index + 1);
    case nlp::RowRole::point:
      return "constraint " + std::to_string(block.index + 1);
    case nlp::RowRole::integral:
      return "integral " + std::to_string(block.index + 1);
    case nlp::RowRole::point_value:
      return "point value";
    case nlp::RowRole::horizon:
      return "startTime <= finalTime";
  }
  return {};
}

abi::Finding of_row(const Transcription& t, const std::vector<double>& w, const RowBlock& block, std::size_t i) {
  abi::Finding finding;
  finding.name = name_of_row(t, block);
  if (const bolza_row* row = row_of(t, block)) put_source(finding, row->source);
  finding.time = time_of(t, w, block.phase, block.interval, i, block.place);
  return finding;
}

abi::Finding of_variable(const Transcription& t, const std::vector<double>& w, const VariableBlock& block, std::size_t i) {
  abi::Finding finding;
  if (const bolza_variable* v = variable_of(t, block)) {
    finding.name = v->name ? v->name : "";
    put_source(finding, v->source);
  }
  finding.time = time_of(t, w, block.phase, block.interval, i, block.place);
  finding.value = w[block.first + i];
  return finding;
}

/// Keeps for every name and source the entry with the largest weight.
class Worst {
 public:
  void offer(double weight, abi::Finding finding) {
    for (auto& [w, f] : list_)
      if (f.name == finding.name && f.line == finding.line && f.column == finding.column && f.file == finding.file) {
        if (weight > w) {
          w = weight;
          f = std::move(finding);
        }
        return;
      }
    list_.emplace_back(weight, std::move(finding));
  }
  std::vector<abi::Finding> take(std::size_t limit) {
    std::stable_sort(list_.begin(), list_.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
    std::vector<abi::Finding> result;
    for (std::size_t k = 0; k < std::min(limit, list_.size()); ++k) result.push_back(std::move(list_[k].second));
    return result;
  }

 private:
  std::vector<std::pair<double, abi::Finding>> list_;
};

struct Peak {
  double weight = 0;
  std::size_t i = 0;
};

/// The element of a run with the largest weight.
template <class Weight>
Peak peak(std::size_t count, Weight weight) {
  Peak best;
  for (std::size_t i = 0; i < count; ++i)
    if (double w = weight(i); w > best.weight) best = {w, i};
  return best;
}

/// Whether a value lies at the side that its multiplier is of. A barrier leaves a multiplier on every side, in proportion to
/// 1/distance and the size of the objective, so that the multiplier alone says little.
bool is_at_side(double multiplier, double lower, double value, double upper, double size) {
  constexpr double near = 1e-3;  // of the size: a barrier keeps weakly active sides at about √tol
  return std::abs(value - (multiplier > 0 ? upper : lower)) <= near * size;
}

double excess(double lower, double value, double upper) { return std::max({0.0, lower - value, value - upper}); }

}  // namespace

abi::Finding place_of_variable(const Transcription& t, const std::vector<double>& w, std::size_t variable) {
  const VariableBlock& block = t.plan.numbering.variable(variable);
  return of_variable(t, w, block, variable - block.first);
}

abi::Finding place_of_row(const Transcription& t, const std::vector<double>& w, std::size_t row) {
  const RowBlock& block = t.plan.numbering.row(row);
  return of_row(t, w, block, row - block.first);
}

std::vector<abi::Finding> violations(Transcription& t, const nlp::Iterate& iterate, double tolerance, std::size_t limit) {
  const nlp::Nlp& nlp = t.nlp;
  t.evaluator->move_to(iterate.w);
  const double* g = t.evaluator->constraints();
  Worst worst;
  for (const RowBlock& block : t.plan.numbering.rows) {
    if (!g) break;
    auto weight = [&](std::size_t i) {
      return excess(nlp.row_lower[block.first + i], g[block.first + i], nlp.row_upper[block.first + i]) /
             nlp.row_scale[block.first + i];
    };
    Peak at = peak(block.count, weight);
    if (at.weight <= tolerance) continue;
    std::size_t r = block.first + at.i;
    abi::Finding finding = of_row(t, iterate.w, block, at.i);
    finding.value = g[r];
    finding.bound = g[r] < nlp.row_lower[r] ? nlp.row_lower[r] : nlp.row_upper[r];
    finding.amount = excess(nlp.row_lower[r], g[r], nlp.row_upper[r]);
    worst.offer(at.weight, std::move(finding));
  }
  for (const VariableBlock& block : t.plan.numbering.variables) {
    auto weight = [&](std::size_t i) {
      return excess(nlp.lower[block.first + i], iterate.w[block.first + i], nlp.upper[block.first + i]) /
             nlp.scale[block.first + i];
    };
    Peak at = peak(block.count, weight);
    if (at.weight <= tolerance) continue;
    std::size_t v = block.first + at.i;
    abi::Finding finding = of_variable(t, iterate.w, block, at.i);
    finding.bound = iterate.w[v] < nlp.lower[v] ? nlp.lower[v] : nlp.upper[v];
    finding.amount = excess(nlp.lower[v], iterate.w[v], nlp.upper[v]);
    worst.offer(at.weight, std::move(finding));
  }
  return worst.take(limit);
}

std::vector<abi::Finding> active(Transcription& t, const nlp::Iterate& iterate, double tolerance, std::size_t limit) {
  const nlp::Nlp& nlp = t.nlp;
  Worst worst;
  if (iterate.lambda.size() != nlp.m() || iterate.z_lower.size() != nlp.n()) return {};
  t.evaluator->move_to(iterate.w);
  const double* g = t.evaluator->constraints();
  for (const VariableBlock& block : t.plan.numbering.variables) {
    auto multiplier = [&](std::size_t i) { return iterate.z_upper[block.first + i] - iterate.z_lower[block.first + i]; };
    Peak at = peak(block.count, [&](std::size_t i) {
      std::size_t v = block.first + i;
      bool at =
          nlp.lower[v] != nlp.upper[v] && is_at_side(multiplier(i), nlp.lower[v], iterate.w[v], nlp.upper[v], nlp.scale[v]);
      return at ? std::abs(multiplier(i)) * nlp.scale[v] : 0;
    });
    if (at.weight <= tolerance) continue;
    abi::Finding finding = of_variable(t, iterate.w, block, at.i);
    finding.kind = abi::Finding::Kind::at_bound;
    finding.amount = multiplier(at.i);
    finding.bound = finding.amount > 0 ? nlp.upper[block.first + at.i] : nlp.lower[block.first + at.i];
    worst.offer(at.weight, std::move(finding));
  }
  for (const RowBlock& block : t.plan.numbering.rows) {
    Peak at = peak(block.count, [&](std::size_t i) {
      std::size_t r = block.first + i;
      bool at = nlp.row_lower[r] != nlp.row_upper[r] &&
                (!g || is_at_side(iterate.lambda[r], nlp.row_lower[r], g[r], nlp.row_upper[r], nlp.row_scale[r]));
      return at ? std::abs(iterate.lambda[r]) * nlp.row_scale[r] : 0;
    });
    if (at.weight <= tolerance) continue;
    std::size_t r = block.first + at.i;
    abi::Finding finding = of_row(t, iterate.w, block, at.i);
    finding.kind = abi::Finding::Kind::at_bound;
    finding.amount = iterate.lambda[r];
    finding.bound = finding.amount > 0 ? nlp.row_upper[r] : nlp.row_lower[r];
    finding.value = g ? g[r] : finding.bound;
    worst.offer(at.weight, std::move(finding));
  }
  return worst.take(limit);
}

abi::Finding describe(const Transcription& t, const NonfiniteReport& report, const std::string& explanation) {
  abi::Finding finding;
  finding.kind = abi::Finding::Kind::nonfinite;
  finding.time = report.time;
  finding.value = no_time;
  const bolza_problem& problem = *t.problem;
  const bolza_model* model = report.phase < 0 ? nullptr : problem.models[problem.phases[report.phase].model];
  const bolza_function* f = problem.point;
  for (const bolza_function* candidate : {model ? model->rates : nullptr, model ? model->residuals : nullptr,
                                          model ? model->initial : nullptr, model ? model->integrand_residuals : nullptr})
    if (candidate && report.function == (candidate->name ? candidate->name : "")) f = candidate;
  if (report.row >= 0 && f->rows) {
    finding.name = f->rows[report.row].name ? f->rows[report.row].name : "";
    put_source(finding, f->rows[report.row].source);
  }
  if (finding.name.empty()) finding.name = report.function;
  finding.text = report.at_start ? "at the initial guess" : "during the iterations";
  if (report.column >= 0) finding.text += ", in a derivative";
  if (model) {
    std::size_t c = 1;
    auto list = [&](const bolza_variable* variables, std::size_t n) {
      for (std::size_t k = 0; k < n && c < report.point.size(); ++k, ++c)
        finding.text += "; " + std::string(variables[k].name ? variables[k].name : "") + " = " + shown(report.point[c]);
    };
    list(model->x, model->n_x);
    list(model->z, model->n_z);
    list(model->u, model->n_u);
  }
  if (!explanation.empty()) finding.text += "\n" + explanation;
  return finding;
}

}  // namespace bolza::transcribe
