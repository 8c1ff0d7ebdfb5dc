// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <span>
#include <unordered_map>

#include "runtime/transcribe/plan/evaluation_plan.h"

namespace bolza::transcribe {
namespace {

constexpr std::size_t points_per_block = 256;  // outputs of a large kernel at so many points stay in the second-level cache

/// What an input of a function is in the NLP: variable first + i·stride, with a factor.
struct Element {
  std::size_t first = 0;
  bool moves = false;  // with the interval
  Factor factor = Factor::one;
};

std::vector<Element> elements_of(const EvaluationTerm& term, std::size_t column, std::size_t stage) {
  std::size_t n_point = term.function->n_point;
  if (column >= n_point) {
    std::size_t v = term.global[column - n_point];
    return v == none ? std::vector<Element>() : std::vector<Element>{{v, false, Factor::one}};
  }
  if (column == 0 && term.times != none) {
    std::vector<Element> list;
    if (term.theta[0] != none) list.push_back({term.theta[0], false, Factor::dt0});
    if (term.theta[1] != none) list.push_back({term.theta[1], false, Factor::dt1});
    return list;
  }
  std::size_t v = term.base[column * term.stages + stage];
  return v == none ? std::vector<Element>() : std::vector<Element>{{v, true, Factor::one}};
}

/// Numbers the entries of a matrix: runs along the intervals of a phase, single entries, and single ones that sums go to.
class Entries {
 public:
  struct Place {
    std::size_t first;
    bool fresh, sum;
  };
  Entries(nlp::Pattern& pattern, std::vector<Region>& regions) : pattern_(pattern), regions_(regions) {}

  /// Entry (row + i, col + i), for a symmetric matrix swapped into the lower triangle; each moves or not.
  Place run(Element row, Element col, bool symmetric) {
    if (symmetric && row.first < col.first) std::swap(row, col);
    bool sum = symmetric && !row.moves && !col.moves;
    auto& known = sum ? known_sums_ : known_;
    auto& list = sum ? sums_ : runs_;
    std::size_t next = sum ? sums_.size() : first_ + runs_.size();
    auto [at, fresh] = known.try_emplace(
        Key{row.first, col.first, static_cast<unsigned>(row.moves) * 2u + static_cast<unsigned>(col.moves)}, next);
    if (fresh) list.push_back({row, col});
    return {at->second, fresh, sum};
  }
  /// Writes the runs of one phase block by block.
  void close_region(std::span<const Task> blocks) {
    regions_.push_back({pattern_.size(), runs_.size()});
    for (const Task& block : blocks)
      for (const auto& [row, col] : runs_)
        for (std::size_t i = block.begin; i < block.end; ++i) write(row, col, i);
    runs_.clear();
    known_.clear();
    first_ = 0;
  }
  /// From here on entries are single and places count from the matrix's first entry.
  void open_singles() { first_ = pattern_.size(); }
  /// Appends the singles, then the sums; returns how many sums there are.
  std::size_t finish() {
    for (const auto& [row, col] : runs_) write(row, col, 0);
    for (const auto& [row, col] : sums_) write(row, col, 0);
    return sums_.size();
  }

 private:
  struct Key {
    std::size_t row, col;
    unsigned moves;
    friend bool operator==(const Key&, const Key&) = default;
  };
  struct Hash {
    std::size_t operator()(const Key& k) const {
      return (k.row * 0x9E3779B97F4A7C15ull) ^ (k.col * 0xC2B2AE3D27D4EB4Full + k.moves);
    }
  };
  void write(const Element& row, const Element& col, std::size_t i) {
    pattern_.row.push_back(static_cast<std::int32_t>(row.first + (row.moves ? i : 0)));
    pattern_.col.push_back(static_cast<std::int32_t>(col.first + (col.moves ? i : 0)));
  }
  nlp::Pattern& pattern_;
  std::vector<Region>& regions_;
  std::unordered_map<Key, std::size_t, Hash> known_, known_sums_;
  std::vector<std::pair<Element, Element>> runs_, sums_;
  std::size_t first_ = 0;
};

/// Entries of the objective's gradient: runs of variables, and slots of global variables.
class GradientEntries {
 public:
  explicit GradientEntries(EvaluationPlan& plan) : plan_(plan) {}
  Entries::Place run(const Element& e, std::size_t count, bool of_point) {
    auto [at, fresh] = known_.try_emplace({e.first, e.moves ? 2 * count + (of_point ? 1 : 0) : 0},
                                          e.moves ? plan_.gradient_entries : plan_.gradient_sums.size());
    if (fresh && e.moves) {
      plan_.gradient.push_back({e.first, count, plan_.gradient_entries, of_point});
      plan_.gradient_entries += count;
    } else if (fresh) {
      plan_.gradient_sums.push_back(e.first);
    }
    return {at->second, fresh, !e.moves};
  }

 private:
  struct Hash {
    std::size_t operator()(const std::pair<std::size_t, std::size_t>& k) const {
      return k.first * 0x9E3779B97F4A7C15ull + k.second;
    }
  };
  EvaluationPlan& plan_;
  std::unordered_map<std::pair<std::size_t, std::size_t>, std::size_t, Hash> known_;
};

/// Entries of a function's Jacobian, row by row.
std::vector<std::vector<std::uint32_t>> entries_by_row(const bolza_function& f) {
  std::vector<std::vector<std::uint32_t>> rows(f.n_rows);
  for (std::size_t e = 0; e < f.jac_nnz; ++e)
    rows[static_cast<std::size_t>(f.jac_row[e])].push_back(static_cast<std::uint32_t>(e));
  return rows;
}

Scatter scatter_of(std::size_t source, std::size_t stage, const Entries::Place& place, double coefficient,
                   std::array<std::size_t, 2> of, std::array<Factor, 4> factors) {
  return {.source = static_cast<std::uint32_t>(source),
          .stage = static_cast<std::uint32_t>(stage),
          .factors = factors,
          .store = place.fresh && !place.sum,
          .sum = place.sum,
          .coefficient = coefficient,
          .target = place.first,
          .unscaled = coefficient,
          .of = of};
}

Factor step(const EvaluationTerm& term) { return term.times_h ? Factor::h : Factor::one; }
constexpr std::array dh{Factor::dh0, Factor::dh1};
constexpr std::array half_log_dh{Factor::half_log_dh0, Factor::half_log_dh1};

void compile_values(const EvaluationTerm& term, TermScatters& scatters) {
  for (const Contribution& c : term.contributions) {
    bool sum = c.target == objective;
    scatters.values.push_back(
        scatter_of(c.row, c.stage, {sum ? 0 : c.target, false, sum}, c.coefficient, {c.target, none}, {step(term)}));
  }
}

class JacobianCompiler {
 public:
  explicit JacobianCompiler(EvaluationPlan& plan) : entries(plan.jacobian, plan.jacobian_regions), gradient_(plan) {}

  Entries entries;

  void compile(const EvaluationTerm& term, TermScatters& scatters) {
    const bolza_function& f = *term.function;
    auto by_row = entries_by_row(f);
    for (const Contribution& c : term.contributions) {
      std::vector<Scatter>& list = c.target == objective ? scatters.gradient : scatters.jacobian;
      for (std::uint32_t e : by_row[c.row])
        for (const Element& element : elements_of(term, static_cast<std::size_t>(f.jac_col[e]), c.stage))
          list.push_back(scatter_of(f.n_rows + e, c.stage, place(term, c.target, element), c.coefficient,
                                    {c.target, element.first}, {step(term), element.factor}));
      for (std::size_t k = 0; k < 2 && term.times_h; ++k)
        if (term.theta[k] != none)
          list.push_back(scatter_of(c.row, c.stage, place(term, c.target, {term.theta[k], false}), c.coefficient,
                                    {c.target, term.theta[k]}, {dh[k]}));
    }
  }

 private:
  Entries::Place place(const EvaluationTerm& term, std::size_t target, const Element& element) {
    if (target == objective) return gradient_.run(element, term.intervals, term.phase < 0);
    return entries.run({target, true}, element, false);
  }
  GradientEntries gradient_;
};

class HessianCompiler {
 public:
  explicit HessianCompiler(EvaluationPlan& plan) : entries(plan.hessian, plan.hessian_regions) {}

  Entries entries;

  /// With L = Σ h·ω·f: h f_ab + h_a f_b + h_b f_a, where f_a goes through time as well.
  void compile(const EvaluationTerm& term, TermScatters& scatters) {
    const bolza_function& f = *term.function;
    std::vector<std::uint8_t> stage_used(term.stages, 0);
    for (const Contribution& c : term.contributions) stage_used[c.stage] = 1;
    for (std::size_t j = 0; j < term.stages; ++j) {
      if (!stage_used[j]) continue;
      for (std::size_t e = 0; e < f.hess_nnz; ++e)
        second(term, scatters, e, static_cast<std::size_t>(f.hess_row[e]), static_cast<std::size_t>(f.hess_col[e]), j);
      if (term.times_h)
        for (std::size_t c = 0; c < f.grad_nnz; ++c)
          first(term, scatters, f.hess_nnz + c, static_cast<std::size_t>(f.grad_col[c]), j);
    }
  }

 private:
  void second(const EvaluationTerm& term, TermScatters& scatters, std::size_t source, std::size_t row, std::size_t col,
              std::size_t j) {
    std::vector<Element> by_row = elements_of(term, row, j), by_col = elements_of(term, col, j);
    for (std::size_t a = 0; a < by_row.size(); ++a)
      for (std::size_t b = 0; b < by_col.size(); ++b) {
        if (row == col && b > a) continue;  // of a symmetric pair only one
        bool twice = row != col && by_row[a].first == by_col[b].first;
        scatters.hessian.push_back(scatter_of(source, j, entries.run(by_row[a], by_col[b], true), twice ? 2 : 1,
                                              {by_row[a].first, by_col[b].first},
                                              {step(term), by_row[a].factor, by_col[b].factor}));
      }
  }
  void first(const EvaluationTerm& term, TermScatters& scatters, std::size_t source, std::size_t column, std::size_t j) {
    for (const Element& element : elements_of(term, column, j))
      for (std::size_t k = 0; k < 2; ++k) {
        if (term.theta[k] == none) continue;
        bool twice = !element.moves && element.first == term.theta[k];
        scatters.hessian.push_back(scatter_of(source, j, entries.run(element, {term.theta[k], false}, true), twice ? 2 : 1,
                                              {element.first, term.theta[k]}, {dh[k], element.factor}));
      }
  }
};

class GaussNewtonCompiler {
 public:
  explicit GaussNewtonCompiler(EvaluationPlan& plan) : entries(plan.gauss_newton, plan.gauss_newton_regions) {}

  Entries entries;

  /// Σ c·h (r_a + r h_a/2h)(r_b + r h_b/2h): the residuals are √(c·h)·r.
  void compile(const EvaluationTerm& term, TermScatters& scatters) {
    const bolza_function& f = *term.function;
    auto by_row = entries_by_row(f);
    for (const Contribution& c : term.squares) {
      std::vector<Part> parts;
      for (std::uint32_t e : by_row[c.row])
        for (const Element& element : elements_of(term, static_cast<std::size_t>(f.jac_col[e]), c.stage))
          parts.push_back({element, f.n_rows + e});
      for (std::size_t k = 0; k < 2 && term.times_h; ++k)
        if (term.theta[k] != none) parts.push_back({{term.theta[k], false, half_log_dh[k]}, c.row});
      for (std::size_t a = 0; a < parts.size(); ++a)
        for (std::size_t b = 0; b <= a; ++b) {
          bool twice = a != b && parts[a].element.first == parts[b].element.first;
          Scatter p = scatter_of(parts[a].source, c.stage, entries.run(parts[a].element, parts[b].element, true),
                                 c.coefficient * (twice ? 2 : 1), {parts[a].element.first, parts[b].element.first},
                                 {step(term), parts[a].element.factor, parts[b].element.factor});
          p.second = static_cast<std::uint32_t>(parts[b].source);
          scatters.gauss_newton.push_back(p);
        }
    }
  }

 private:
  struct Part {
    Element element;
    std::size_t source;
  };
};

void write_constants(EvaluationPlan& plan) {
  for (const ConstantBlock& block : plan.constants)
    for (std::size_t i = 0; i < block.count; ++i) {
      plan.jacobian.row.push_back(static_cast<std::int32_t>(block.row + i));
      plan.jacobian.col.push_back(static_cast<std::int32_t>(block.col + i));
      plan.constant_values.push_back(block.value);
    }
  plan.constant_entries = plan.jacobian.size();
}

void write_tasks(EvaluationPlan& plan, const std::vector<std::size_t>& main_terms) {
  std::size_t first = 0;
  for (std::size_t phase = 0; phase < main_terms.size(); ++phase) {
    std::size_t last = first + main_terms[phase], stages = 1, intervals = 0;
    for (std::size_t t = first; t < last; ++t) {
      stages = std::max(stages, plan.terms[t].stages);
      intervals = plan.terms[t].intervals;
    }
    std::size_t size = std::max<std::size_t>(8, points_per_block / stages / 8 * 8);
    for (std::size_t begin = 0; begin < intervals; begin += size)
      plan.tasks.push_back({first, last, phase, begin, std::min(intervals, begin + size)});
    first = last;
  }
  for (std::size_t t = first; t < plan.terms.size(); ++t)
    plan.serial.push_back({t, t + 1, none, 0, plan.terms[t].intervals});
}

}  // namespace

void compile_scatters(EvaluationPlan& plan, const std::vector<std::size_t>& main_terms, bool with_hessian,
                      bool with_gauss_newton) {
  write_constants(plan);
  write_tasks(plan, main_terms);
  plan.scatters.resize(plan.terms.size());
  JacobianCompiler jacobian(plan);
  HessianCompiler hessian(plan);
  GaussNewtonCompiler gauss_newton(plan);
  auto compile = [&](std::size_t first, std::size_t last) {
    for (std::size_t t = first; t < last; ++t) {
      compile_values(plan.terms[t], plan.scatters[t]);
      jacobian.compile(plan.terms[t], plan.scatters[t]);
      if (with_hessian) hessian.compile(plan.terms[t], plan.scatters[t]);
      if (with_gauss_newton) gauss_newton.compile(plan.terms[t], plan.scatters[t]);
    }
  };
  std::size_t first = 0, block = 0;
  std::array<Entries*, 3> matrices{&jacobian.entries, &hessian.entries, &gauss_newton.entries};
  for (std::size_t phase = 0; phase < main_terms.size(); ++phase) {
    std::size_t last = first + main_terms[phase], blocks = block;
    compile(first, last);
    while (blocks < plan.tasks.size() && plan.tasks[blocks].first_term < last) ++blocks;
    for (Entries* matrix : matrices) matrix->close_region(std::span(plan.tasks).subspan(block, blocks - block));
    first = last;
    block = blocks;
  }
  for (Entries* matrix : matrices) matrix->open_singles();
  compile(first, plan.terms.size());
  jacobian.entries.finish();
  plan.hessian_sums = hessian.entries.finish();
  plan.gauss_newton_sums = gauss_newton.entries.finish();
}

}  // namespace bolza::transcribe
