// SPDX-License-Identifier: Apache-2.0
#include "runtime/nonlinear/initialise.h"

#include <algorithm>
#include <cmath>

#include "base/expects.h"
#include "runtime/nonlinear/blocks.h"
#include "runtime/nonlinear/continuation.h"
#include "runtime/nonlinear/kinsol.h"

namespace bolza::nonlinear {
namespace {

using Part = ModelAt::Part;

// Unknowns: free states, then algebraics. Rows: h, then initial equations, or the rates of all states.
struct Start {
  ModelAt& model;
  double t;
  Part second;
  std::size_t n_second;
  std::vector<double> x, z, u;
  std::vector<std::size_t> free;      // states that may change
  std::vector<std::int32_t> unknown;  // of point row, -1 none
  std::vector<double> rows;
  Derivative derivative;

  ModelAt::Point point() const { return {t, x.data(), z.data(), u.data()}; }

  void move_to(std::span<const double> w) {
    for (std::size_t k = 0; k < free.size(); ++k) x[free[k]] = w[k];
    for (std::size_t i = 0; i < z.size(); ++i) z[i] = w[free.size() + i];
  }

  bool residual(std::span<const double> w, std::span<double> r) {
    move_to(w);
    const bolza_model& m = model.model();
    bool good = !n_second || model.value(second, point(), r.subspan(m.n_z));
    return (!m.n_z || model.value(Part::residuals, point(), r.first(m.n_z))) && good;
  }

  bool add(Part part, std::size_t first, std::size_t count, std::vector<Entry>& entries) {
    if (!count) return true;
    bool good = model.jacobian_nearby(part, point(), derivative);
    for (std::size_t e = 0; e < derivative.value.size(); ++e) {
      std::size_t row = static_cast<std::size_t>(derivative.row[e]), col = static_cast<std::size_t>(derivative.col[e]);
      if (row >= count || col >= unknown.size() || unknown[col] < 0) continue;
      entries.push_back({static_cast<std::int32_t>(first + row), unknown[col], derivative.value[e]});
    }
    return good;
  }

  bool jacobian(std::span<const double> w, std::vector<Entry>& entries) {
    move_to(w);
    const bolza_model& m = model.model();
    bool good = add(second, m.n_z, n_second, entries);
    return add(Part::residuals, 0, m.n_z, entries) && good;
  }
};

struct Unknowns {
  std::vector<double> w, size, lower, upper;

  void add(const bolza_variable& v, double guess) {
    w.push_back(guess);
    size.push_back(size_of(v));
    lower.push_back(v.min);
    upper.push_back(v.max);
  }
};

// One solver after the other, each from the guesses; the first whose point Newton's method confirms. What follows from the
// guesses that are given is another start (null: there is none), tried before what costs more than KINSOL.
NewtonReport solve_start(const Equations& equations, const Unknowns& unknowns, const StartOptions& options,
                         std::vector<double>& w, const std::function<bool(std::vector<double>&)>& followed = {}) {
  bool any = options.solver == StartSolver::automatic;
  NewtonReport report;
  auto confirmed = [&](std::vector<double> found) {
    NewtonReport judged = solve_either_way(equations, found);
    if (judged.converged() || report.evaluations == 0) {
      w = std::move(found);
      report = judged;
    }
    return report.converged();
  };
  bool square = equations.rows == equations.unknowns;
  if ((any || options.solver == StartSolver::kinsol) && square && equations.rows) {
    std::vector<double> found = unknowns.w;
    if (solve_by_kinsol(equations, found).converged() && confirmed(std::move(found))) return report;
  }
  if (any && followed) {
    std::vector<double> found = unknowns.w;
    if (followed(found) && confirmed(std::move(found))) return report;
  }
  bool asked_kinsol = options.solver == StartSolver::kinsol && square;
  if (options.solver != StartSolver::optimiser && !asked_kinsol && confirmed(unknowns.w)) return report;
  if (any) {
    std::vector<double> found = unknowns.w;
    NewtonReport by_blocks = solve_by_blocks(equations, found);
    if (by_blocks.converged() && confirmed(found)) return report;
    if (by_blocks.evaluations && !by_blocks.converged()) {
      w = std::move(found);
      report = by_blocks;
    }  // names the block
  }
  if ((any || options.solver == StartSolver::optimiser) && options.optimiser) {
    std::vector<double> found = unknowns.w;
    if (options.optimiser(equations, unknowns.lower, unknowns.upper, found) && confirmed(std::move(found))) return report;
  }
  if (report.evaluations == 0) {  // the asked one gave nothing: where its start stands
    w = unknowns.w;
    report = solve(equations, w, {.max_iterations = 0});
    report.status = NewtonReport::Status::stalled;
  }
  return report;
}

}  // namespace

abi::Finding finding_of(const ModelAt& at, const NewtonReport& report, double t, const bolza_function* after) {
  const bolza_model& model = at.model();
  if (report.status == NewtonReport::Status::not_finite) return finding_of(at.trouble());
  abi::Finding f;
  f.time = t;
  bool algebraic = report.worst_row < model.n_z;
  const bolza_function* function = algebraic ? model.residuals : after;
  std::size_t row = algebraic ? report.worst_row : report.worst_row - model.n_z;
  f.kind = abi::Finding::Kind::violated;
  f.amount = f.value = std::fabs(report.worst_value);
  if (!function || !function->rows || row >= function->n_rows) return f;
  const bolza_row& r = function->rows[row];
  f.name = r.name ? r.name : "";
  if (function == model.rates) f.name += " = 0";
  f.file = r.source.file ? r.source.file : "";
  f.line = r.source.line;
  f.column = r.source.column;
  f.text = report.status == NewtonReport::Status::inconsistent
               ? "the initial equations contradict each other"
               : "no solution was found from the start values; other `start` values may help";
  return f;
}

namespace {

/// Other starts for unknowns of which nothing is known but their sizes and bounds, tried where the guesses lead nowhere:
/// values that equations give them, then sizes, of either sign.
class OtherStarts {
 public:
  OtherStarts(const Equations& equations, const Unknowns& unknowns, std::vector<char> given)
      : equations_(equations),
        unknowns_(unknowns),
        given_(std::move(given)) {}

  static constexpr int count = 8;
  /// The number 0 … count − 1 says which. Cost: some evaluations of the equations.
  std::vector<double> start(int number) {
    static constexpr double multiples[count] = {0, 1, -1, 0.1, 10, 0.5, 1, 100};
    std::vector<double> w = unknowns_.w;
    for (std::size_t i = 0; i < w.size(); ++i) {
      if (given_[i] || number == 0) continue;
      double sign = number == 5 && i % 2 ? -1 : number == 6 ? (i % 3 ? 0.3 : -2) : 1;
      w[i] = within(i, multiples[number] * sign * unknowns_.size[i]);
    }
    follow_equations(w);
    return w;
  }

 private:
  double within(std::size_t i, double value) const {
    double low = unknowns_.lower[i], high = unknowns_.upper[i];
    if (std::isfinite(low) && std::isfinite(high) && !(value > low && value < high)) return low + 0.38 * (high - low);
    if (value < low) return low + unknowns_.size[i];
    return value > high ? high - unknowns_.size[i] : value;
  }

  // Rows with one unknown that is not known yet give it, one after the other.
  void follow_equations(std::vector<double>& w) {
    std::vector<char> known = given_;
    std::vector<double> r(equations_.rows);
    bool any = true;
    for (std::size_t round = 0; any && round <= w.size() && round < most_rounds; ++round) {
      any = false;
      std::vector<Entry> entries;
      equations_.residual(w, r);
      equations_.jacobian(w, entries);  // rows that are finite count
      std::vector<std::size_t> open(equations_.rows, 0);
      std::vector<double> slope(equations_.rows, 0);
      std::vector<std::int32_t> of(equations_.rows, -1);
      for (const Entry& e : entries) {
        auto row = static_cast<std::size_t>(e.row);
        if (known[static_cast<std::size_t>(e.col)]) continue;
        if (of[row] != e.col) {
          ++open[row];
          of[row] = e.col;
          slope[row] = 0;
        }
        slope[row] += e.value;
      }
      for (std::size_t row = 0; row < equations_.rows; ++row) {
        if (open[row] != 1 || known[static_cast<std::size_t>(of[row])]) continue;
        auto i = static_cast<std::size_t>(of[row]);
        double to = w[i] - r[row] / slope[row];
        if (!std::isfinite(to)) continue;
        w[i] = std::clamp(to, unknowns_.lower[i], std::max(unknowns_.lower[i], unknowns_.upper[i]));
        known[i] = 1;
        any = true;
      }
    }
  }

  static constexpr std::size_t most_rounds = 50;
  const Equations& equations_;
  const Unknowns& unknowns_;
  std::vector<char> given_;
};

// Does a row stand still where its slope says that it moves by parts of itself? What is left of it is the rounding of larger
// numbers then, as in 50 (1 + 1e-10 (P - P0)) = 50, which no P makes smaller.
bool is_unresolved(const Equations& equations, std::span<const double> w, std::size_t row, double left,
                   const Entry& steepest) {
  constexpr int parts = 8;
  std::vector<double> near(w.begin(), w.end()), r(equations.rows);
  double before = left;
  int still = 0;
  for (int k = 1; k <= parts; ++k) {
    auto column = static_cast<std::size_t>(steepest.col);
    near[column] = w[column] - left / steepest.value * k / parts;
    if (!equations.residual(near, r)) return false;
    still += r[row] == before;
    before = r[row];
  }
  return 2 * still >= parts;
}

// Is a row that counts as solved as large as its own terms? So little can be nothing, or 10^(-71) in the place of 10^(-3).
bool is_hollow(const Equations& equations, std::span<const double> w) {
  constexpr double above_rounding = 1e-14, of_terms = 1e-4;
  constexpr double alone = 1e-9;  // of a row that no unknown changes: nothing tells how large its terms are
  std::vector<double> r(equations.rows), terms(equations.rows, 0), sizes(equations.rows, 0);
  std::vector<Entry> entries, steepest(equations.rows, Entry{0, 0, 0});
  if (!equations.residual(w, r) || !equations.jacobian(w, entries)) return true;
  for (const Entry& e : entries) {
    auto row = static_cast<std::size_t>(e.row), column = static_cast<std::size_t>(e.col);
    double size = std::fabs(e.value) * equations.size[column];
    terms[row] += std::fabs(e.value * w[column]);
    sizes[row] += size;
    const Entry& known = steepest[row];
    if (size > std::fabs(known.value) * equations.size[static_cast<std::size_t>(known.col)]) steepest[row] = e;
  }
  for (std::size_t row = 0; row < r.size(); ++row) {
    if (sizes[row] == 0 && std::fabs(r[row]) <= alone) continue;
    bool large = std::fabs(r[row]) > of_terms * terms[row] && std::fabs(r[row]) > above_rounding * sizes[row];
    bool has_slope = steepest[row].value != 0;
    if (large && !(has_slope && is_unresolved(equations, w, row, r[row], steepest[row]))) return true;
  }
  return false;
}

// Goes on until rounding; a root of higher order is near then, and what is none stays hollow. The report says where.
NewtonReport polished(const Equations& equations, std::vector<double>& w) {
  constexpr double rounding = 1e-18;
  std::vector<double> closer = w, before(equations.rows), after(equations.rows);
  NewtonReport report = solve(equations, closer, {.tolerance = rounding});
  auto largest = [](const std::vector<double>& rows) {
    double most = 0;
    for (double r : rows) most = std::max(most, std::fabs(r));
    return most;
  };
  bool better = equations.residual(w, before) && equations.residual(closer, after) && largest(after) <= largest(before);
  if (better) w = std::move(closer);
  report.status = NewtonReport::Status::stalled;
  return report;
}

bool is_given(const bolza_variable& v) { return v.has_start || v.has_guess; }

/// How far the unknowns with a given start are from it, in their sizes.
double moved(const Unknowns& unknowns, const std::vector<char>& given, std::span<const double> w) {
  double sum = 0;
  for (std::size_t i = 0; i < w.size(); ++i)
    if (given[i]) sum += std::fabs(w[i] - unknowns.w[i]) / unknowns.size[i];
  return sum;
}

}  // namespace

InitialPoint initialise(ModelAt& at, double t0, std::span<const double> u, std::span<const double> x,
                        std::span<const double> z, const StartOptions& options) {
  const bolza_model& model = at.model();
  expects(u.size() == model.n_u && (x.empty() || x.size() == model.n_x) && (z.empty() || z.size() == model.n_z),
          "guesses have the model's sizes");
  Part second = options.at_rest ? Part::rates : Part::initial;
  std::size_t n_second = options.at_rest ? model.n_x : options.holds_states ? 0 : model.n_initial;
  Start start{at, t0, second, n_second, {x.begin(), x.end()}, {z.begin(), z.end()}, {u.begin(), u.end()}, {}, {}, {}, {}};
  start.unknown.assign(1 + model.n_x + model.n_z, -1);
  Unknowns unknowns;
  std::vector<char> given;
  for (std::size_t i = 0; i < model.n_x; ++i) {
    if (x.empty()) start.x.push_back(guess_of(model.x[i]));
    if (options.holds_states) continue;
    if (model.x[i].fixed) start.x[i] = model.x[i].start;
    if (model.x[i].fixed && !options.at_rest) continue;
    start.unknown[1 + i] = static_cast<std::int32_t>(start.free.size());
    start.free.push_back(i);
    unknowns.add(model.x[i], start.x[i]);
    given.push_back(is_given(model.x[i]));
  }
  for (std::size_t i = 0; i < model.n_z; ++i) {
    if (z.empty()) start.z.push_back(guess_of(model.z[i]));
    start.unknown[1 + model.n_x + i] = static_cast<std::int32_t>(unknowns.w.size());
    unknowns.add(model.z[i], start.z[i]);
    given.push_back(is_given(model.z[i]));
  }
  Equations equations{model.n_z + n_second, unknowns.w.size(), unknowns.size,
                      [&](std::span<const double> v, std::span<double> r) { return start.residual(v, r); },
                      [&](std::span<const double> v, std::vector<Entry>& entries) { return start.jacobian(v, entries); }};
  InitialPoint out;
  std::vector<double> w = unknowns.w;
  bool may_differ = options.solver == StartSolver::automatic && std::ranges::count(given, 0) > 0;
  auto from_other_start = [&](int number) {
    Unknowns other = unknowns;
    other.w = OtherStarts(equations, unknowns, given).start(number);
    auto take = [&](NewtonReport report, std::vector<double>& found) {
      bool better = report.converged() && !is_hollow(equations, found);
      if (better) {
        out.report = report;
        w = std::move(found);
      }
      return better;
    };
    std::vector<double> by_blocks = other.w, found = other.w;
    if (take(solve_by_blocks(equations, by_blocks), by_blocks)) return true;
    return take(solve_start(equations, other, {.at_rest = options.at_rest}, found), found);
  };
  std::vector<double> rows(equations.rows);
  bool follows = may_differ && !equations.residual(w, rows) && from_other_start(0);
  auto followed = [&](std::vector<double>& found) {
    found = OtherStarts(equations, unknowns, given).start(0);
    std::vector<double> at_once = found;
    bool good = solve_by_kinsol(equations, at_once).converged() && !is_hollow(equations, at_once);
    if (good) found = std::move(at_once);
    return good || (solve_by_blocks(equations, found).converged() && !is_hollow(equations, found));
  };
  bool asks = may_differ && !follows && equations.rows == equations.unknowns;
  if (!follows)
    out.report = solve_start(equations, unknowns, options, w,
                             asks ? followed : std::function<bool(std::vector<double>&)>());
  for (int k = 1; !out.report.converged() && may_differ && k < OtherStarts::count; ++k) from_other_start(k);
  bool automatic = options.solver == StartSolver::automatic;
  if (out.converged() && automatic && !follows && is_hollow(equations, w)) {
    NewtonReport nearer = polished(equations, w);
    bool hollow = is_hollow(equations, w);
    for (int k = 0; hollow && may_differ && k < OtherStarts::count; ++k) hollow = !from_other_start(k);
    if (hollow) out.report = nearer;
  }
  // Of several solutions, as ways of closing a loop of rigid bars, the one nearer to what the model says of itself.
  constexpr double far = 0.1;
  double from_given = out.converged() && may_differ && !follows ? moved(unknowns, given, w) : 0;
  if (from_given > far) {
    std::vector<double> first = w;
    NewtonReport report = out.report;
    if (from_other_start(0) && !(moved(unknowns, given, w) < from_given / 2)) {
      w = std::move(first);
      out.report = report;
    }
  }
  std::ranges::fill(given, 0);  // the guesses led away from every solution
  for (int k = 0; !out.converged() && automatic && k < OtherStarts::count; ++k) from_other_start(k);
  start.move_to(w);
  out.x = std::move(start.x);
  out.z = std::move(start.z);
  if (!out.converged()) out.finding = finding_of(at, out.report, t0, options.at_rest ? model.rates : model.initial);
  return out;
}

namespace {

/// h = 0 for z at (t, x, u), solved by `solve`.
template <class Solve>
NewtonReport with_algebraics(ModelAt& at, double t, std::span<const double> x, std::span<const double> u,
                             const Solve& solve) {
  const bolza_model& model = at.model();
  std::vector<double> size;
  for (std::size_t i = 0; i < model.n_z; ++i) size.push_back(size_of(model.z[i]));
  Derivative derivative;
  auto point = [&](std::span<const double> w) { return ModelAt::Point{t, x.data(), w.data(), u.data()}; };
  Equations equations{model.n_z, model.n_z, size,
                      [&](std::span<const double> w, std::span<double> r) { return at.value(Part::residuals, point(w), r); },
                      [&](std::span<const double> w, std::vector<Entry>& entries) {
                        if (!at.jacobian_nearby(Part::residuals, point(w), derivative)) return false;
                        for (std::size_t e = 0; e < derivative.value.size(); ++e) {
                          std::int32_t col = derivative.col[e] - static_cast<std::int32_t>(1 + model.n_x);
                          if (col >= 0 && col < static_cast<std::int32_t>(model.n_z) &&
                              derivative.row[e] < static_cast<std::int32_t>(model.n_z))
                            entries.push_back({derivative.row[e], col, derivative.value[e]});
                        }
                        return true;
                      }};
  return solve(equations);
}

}  // namespace

NewtonReport solve_algebraics(ModelAt& at, double t, std::span<const double> x, std::span<const double> u,
                              std::vector<double>& z, const NewtonOptions& options) {
  return with_algebraics(at, t, x, u, [&](const Equations& equations) { return solve_either_way(equations, z, options); });
}

NewtonReport jump_algebraics(ModelAt& at, double t, std::span<const double> x, std::span<const double> u,
                             std::vector<double>& z) {
  return with_algebraics(at, t, x, u, [&](const Equations& equations) { return solve_by_continuation(equations, z); });
}

}  // namespace bolza::nonlinear
