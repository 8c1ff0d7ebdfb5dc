// SPDX-License-Identifier: Apache-2.0
// Values and derivatives of single shooting's NLP.
#include <algorithm>
#include <cmath>

#include "runtime/transcribe/shooting/shooting_internal.h"

namespace bolza::transcribe {

using What = NodeFunction::What;

Shooting::Shooting(bolza_problem& p, const TranscribeOptions& options, const ShootingOptions& shooting,
                   const abi::Solution* guess)
    : nodes_(p, options, shooting, guess, false),
      shooting_(shooting) {
  if (!objection().empty()) return;
  nlp.functions = this;
  set_patterns();
  if (shooting_.constraints) nodes_.set_scales(*this);
}

// Rows reach the parameters, their phase's initial states and the controls up to their site.
void Shooting::set_patterns() {
  row_columns_.clear();
  nlp.jacobian = {};
  nlp.hessian = {};
  nlp.gauss_newton = {};
  for (std::size_t r = 0; r < rows.size(); ++r) {
    std::vector<std::size_t> columns;
    const ShootingRow& row = rows[r];
    std::size_t last = nlp.n(), reach = 0;
    if (row.kind == ShootingRow::Kind::node) reach = phases[row.function.site.phase].reach[row.function.site.segment];
    for (const auto& [f, weight] : row.sum) reach = std::max(reach, phases[f.site.phase].reach[f.site.segment]);
    if (row.kind == ShootingRow::Kind::length) last = problem.n_parameters;
    for (std::size_t c = 0; c < last; ++c) {
      bool reached = c < problem.n_parameters || row.kind == ShootingRow::Kind::point;
      reached = reached || (c >= phases[row.function.site.phase].first_x0 && c < reach) || c == row.variable;
      if (reached) columns.push_back(c);
    }
    for (std::size_t c : columns) {
      nlp.jacobian.row.push_back(static_cast<std::int32_t>(r));
      nlp.jacobian.col.push_back(static_cast<std::int32_t>(c));
    }
    row_columns_.push_back(std::move(columns));
  }
  if (!shooting_.constraints) return;  // nobody solves it
  for (std::size_t r = 0; r < nlp.n(); ++r)
    for (std::size_t c = 0; c <= r; ++c) {
      nlp.hessian.row.push_back(static_cast<std::int32_t>(r));
      nlp.hessian.col.push_back(static_cast<std::int32_t>(c));
    }
  if (nodes_.gauss_newton || nodes_.integral_squares) nlp.gauss_newton = nlp.hessian;
}

void Shooting::move_to(std::span<const double> w) {
  if (evaluated_ && std::equal(w.begin(), w.end(), nodes_.w.begin(), nodes_.w.end())) return;
  nodes_.move_to(w);
  evaluated_ = gradient_ready_ = rows_ready_ = false;
}

bool Shooting::evaluate_phase(ShootingPhase& phase) {
  const bolza_model& m = *phase.model;
  nodes_.set_shared(phase, phase.reduced(0));
  phase.reduced(0).forget();
  std::copy_n(nodes_.w.begin() + static_cast<std::ptrdiff_t>(phase.first_x0), m.n_x, phase.x.begin());
  std::fill(phase.q.begin(), phase.q.end(), 0.0);
  for (std::size_t k = 0; k < phase.N(); ++k) phase.times[k] = nodes_.times_of(phase, k);
  for (std::size_t k = 0; k < phase.N(); ++k) {
    std::ranges::copy(phase.node(k), phase.node(k + 1).begin());
    if (!phase.segments[k].forward(phase.times[k], nodes_.inputs_at(phase, k, SegmentPart::begin),
                                   nodes_.inputs_after(phase, k), phase.node(k + 1), phase.q)) {
      nodes_.note_failed_segment(phase, k);
      return false;
    }
  }
  return true;
}

bool Shooting::evaluate() {
  if (evaluated_) return good_;
  evaluated_ = true;
  good_ = false;
  ++nodes_.simulations;
  for (ShootingPhase& phase : phases)
    if (!evaluate_phase(phase)) return false;
  return good_ = nodes_.evaluate_rows();
}

bool Shooting::objective(double& f) {
  if (!evaluate()) return false;
  f = nodes_.point_rows[objective_row];
  return std::isfinite(f);
}

const double* Shooting::constraints() { return evaluate() ? nodes_.row_values.data() : nullptr; }

const double* Shooting::gradient() { return evaluate() && derivatives(false) ? gradient_.data() : nullptr; }

const double* Shooting::jacobian() { return evaluate() && derivatives(true) ? jacobian_.data() : nullptr; }

RowSeeds Shooting::empty_seeds() const {
  RowSeeds seeds;
  seeds.direct.assign(nlp.n(), 0.0);
  for (const ShootingPhase& phase : phases) seeds.by_q.emplace_back(phase.model->n_q, 0.0);
  return seeds;
}

bool Shooting::add_node_function(const NodeFunction& f, double weight, RowSeeds& row) {
  ShootingPhase& phase = phases[f.site.phase];
  const bolza_model& m = *phase.model;
  if (weight == 0) return true;
  auto seed = [&]() -> std::vector<double>& {
    row.moves = true;
    for (RowSeeds::Seed& s : row.seeds)
      if (s.phase == f.site.phase && s.node == f.site.node()) return s.by_x;
    row.seeds.push_back({f.site.phase, f.site.node(), std::vector<double>(m.n_x)});
    return row.seeds.back().by_x;
  };
  if (f.what == What::state) {
    seed()[f.index] += weight;
    return true;
  }
  auto add_control = [&](std::size_t i, double value) {
    const ControlValue& c = phase.control(f.site.segment, i, f.site.part());
    row.direct[c.low] += (1 - c.share) * value;
    row.direct[c.high] += c.share * value;
  };
  if (f.what == What::control) {
    add_control(f.index, weight);
    return true;
  }
  if (f.what == What::integral) {
    row.by_q[f.site.phase][f.index] += weight;
    row.moves = true;
    return true;
  }
  SiteDerivatives d;
  if (!nodes_.site_derivatives(f, weight, d)) return false;
  std::vector<double>& by_x = seed();
  for (std::size_t i = 0; i < m.n_x; ++i) by_x[i] += d.by_x[i];
  for (std::size_t i = 0; i < m.n_u; ++i) add_control(i, d.by_u[i]);
  for (std::size_t j = 0; j < m.n_global; ++j) row.direct[phase.parameter(j)] += d.by_global[j];
  return true;
}

bool Shooting::add_point_row(std::size_t point_row, double weight, RowSeeds& row) {
  if (!nodes_.differentiate_point()) return false;
  const bolza_function& f = *problem.point;
  for (std::size_t e = 0; e < f.jac_nnz; ++e) {
    if (static_cast<std::size_t>(f.jac_row[e]) != point_row) continue;
    double v = weight * nodes_.point_entry(e);
    std::size_t col = static_cast<std::size_t>(f.jac_col[e]);
    if (col >= f.n_point) row.direct[col - f.n_point] += v;
    else if (!add_node_function(nodes_.values[col], v, row)) return false;
  }
  return true;
}

bool Shooting::seeds_of(const ShootingRow& row, double weight, RowSeeds& seeds) {
  if (row.kind == ShootingRow::Kind::point) return add_point_row(row.point_row, weight, seeds);
  if (row.kind == ShootingRow::Kind::node) return add_node_function(row.function, weight, seeds);
  if (row.kind == ShootingRow::Kind::delay) {
    seeds.direct[row.variable] -= weight;
    double by_delay = 0;
    if (row.moving && !nodes_.weighted_sum(row, row.moving->first, by_delay)) return false;
    if (row.moving)
      for (auto [variable, slope] : row.moving->slopes) seeds.direct[variable] += weight * slope * by_delay;
    return std::ranges::all_of(row.sum, [&](const auto& f) { return add_node_function(f.first, weight * f.second, seeds); });
  }
  seeds.direct[phases[row.phase].parameter(0)] += weight * row.length.start;
  seeds.direct[phases[row.phase].parameter(1)] += weight * row.length.final;
  return true;
}

void Shooting::add_inputs(const ShootingPhase& phase, std::size_t segment, std::span<const double> gradient,
                          std::vector<double>& direct) const {
  std::size_t n_u = phase.model->n_u, controls = phase.values_of_input() * n_u;
  for (std::size_t i = 0; i < controls; ++i) {
    const ControlValue& c = phase.control_at(segment, i % n_u, i / n_u);
    direct[c.low] += (1 - c.share) * gradient[i];
    direct[c.high] += c.share * gradient[i];
  }
  std::size_t n_p = phase.model->n_global;
  for (std::size_t j = 0; j < n_p; ++j) direct[phase.parameter(j)] += gradient[controls + j];
  const SegmentPlace& times = phase.times[segment];
  for (std::size_t j = 0; j < 2; ++j)
    direct[phase.parameter(j)] +=
        times.begin_by[j] * gradient[controls + n_p] + times.length_by[j] * gradient[controls + n_p + 1];
}

// The last mesh point that a row depends on.
std::size_t Shooting::last_node(const ShootingPhase& phase, const RowSeeds& row) {
  const std::vector<double>& by_q = row.by_q[phase.number];
  if (std::any_of(by_q.begin(), by_q.end(), [](double v) { return v != 0; })) return phase.N();
  std::size_t last = 0;
  for (const RowSeeds::Seed& s : row.seeds)
    if (s.phase == phase.number) last = std::max(last, s.node);
  return last;
}

// Rows go back together: every segment is gone through once for all that depend on it.
bool Shooting::pull_back_adjoint(std::vector<RowSeeds*>& list) {
  for (ShootingPhase& phase : phases) {
    std::size_t n_x = phase.model->n_x;
    std::vector<std::size_t> last;
    for (const RowSeeds* row : list) last.push_back(last_node(phase, *row));
    std::vector<std::vector<double>> lambda(list.size(), std::vector<double>(n_x));
    std::size_t end = *std::max_element(last.begin(), last.end());
    for (std::size_t k = end + 1; k-- > 0;) {
      std::vector<integrate::Segment::Backward> functionals;
      std::vector<std::size_t> of;
      for (std::size_t r = 0; r < list.size(); ++r) {
        for (const RowSeeds::Seed& s : list[r]->seeds)
          if (s.phase == phase.number && s.node == k)
            for (std::size_t i = 0; i < n_x; ++i) lambda[r][i] += s.by_x[i];
        if (k == 0 || last[r] < k) continue;
        of.push_back(r);
        functionals.push_back(
            {lambda[r], list[r]->by_q[phase.number], std::vector<double>(phase.segments[k - 1].inputs()), {}});
      }
      if (k == 0) break;
      if (!phase.segments[k - 1].adjoint(functionals)) {
        nodes_.note_trouble(phase, 0);
        return false;
      }
      for (std::size_t j = 0; j < of.size(); ++j) {
        add_inputs(phase, k - 1, functionals[j].gradient, list[of[j]]->direct);
        lambda[of[j]] = std::move(functionals[j].lambda);
      }
    }
    for (std::size_t r = 0; r < list.size(); ++r)
      for (std::size_t i = 0; i < n_x; ++i) list[r]->direct[phase.first_x0 + i] += lambda[r][i];
  }
  return true;
}

// The variables along which segment k or its start moves, of those that are wanted.
std::vector<Eigen::Index> Shooting::moving_columns(const ShootingPhase& phase, std::size_t k,
                                                   const Eigen::MatrixXd& S) const {
  const bolza_model& m = *phase.model;
  std::vector<char> moves(nlp.n(), 0);
  for (Eigen::Index c = 0; c < S.cols(); ++c) moves[static_cast<std::size_t>(c)] = S.col(c).any();
  for (std::size_t i = 0; i < m.n_u; ++i)
    for (std::size_t side = 0; side < phase.sides(); ++side)
      moves[phase.control_at(k, i, side).low] = moves[phase.control_at(k, i, side).high] = 1;
  for (std::size_t j = 0; j < m.n_global; ++j)
    if (std::size_t v = phase.parameter(j); !problem.parameters[v].fixed) moves[v] = 1;
  std::vector<Eigen::Index> out;
  for (std::size_t v = 0; v < moves.size(); ++v)
    if (moves[v] && (wanted_.empty() || wanted_[v])) out.push_back(static_cast<Eigen::Index>(v));
  return out;
}

// S [n_x × n] over segment k; SQ [n_q × n] is added to, and squares of the integrand.
bool Shooting::advance_directions(ShootingPhase& phase, std::size_t k, Eigen::MatrixXd& S, Eigen::MatrixXd& SQ,
                                  SquaresRun* squares) {
  const bolza_model& m = *phase.model;
  integrate::Segment& segment = phase.segments[k];
  std::vector<Eigen::Index> columns = moving_columns(phase, k, S);
  Eigen::Index count = static_cast<Eigen::Index>(columns.size());
  integrate::Segment::Directions d{S(Eigen::all, columns),
                                   Eigen::MatrixXd::Zero(SQ.rows(), count),
                                   Eigen::MatrixXd::Zero(static_cast<Eigen::Index>(segment.inputs()), count),
                                   {}};
  std::vector<Eigen::Index> place(nlp.n(), -1);
  for (Eigen::Index c = 0; c < count; ++c) {
    auto v = static_cast<std::size_t>(columns[static_cast<std::size_t>(c)]);
    place[v] = c;
    d.sizes.push_back(nlp.scale[v]);
  }
  auto move = [&](std::size_t input, std::size_t variable, double by) {
    if (place[variable] >= 0) d.direct(static_cast<Eigen::Index>(input), place[variable]) += by;
  };
  std::size_t controls = segment.controls();
  for (std::size_t i = 0; i < controls; ++i) {
    const ControlValue& c = phase.control_at(k, i % m.n_u, i / m.n_u);
    move(i, c.low, 1 - c.share);
    move(i, c.high, c.share);
  }
  for (std::size_t j = 0; j < m.n_global; ++j) move(controls + j, phase.parameter(j), 1);
  for (std::size_t j = 0; j < 2; ++j) {
    move(controls + m.n_global, phase.parameter(j), phase.times[k].begin_by[j]);
    move(controls + m.n_global + 1, phase.parameter(j), phase.times[k].length_by[j]);
  }
  std::vector<double> x(phase.node(k).begin(), phase.node(k).end()), q(m.n_q);
  bool gathers = squares && count > 0 && phase.times[k].length > 0;
  segment.sample_at(gathers ? &squares->samples : nullptr);
  bool arrived = segment.tangent(phase.times[k], nodes_.inputs_at(phase, k, SegmentPart::begin),
                                 nodes_.inputs_after(phase, k), x, q, d);
  segment.sample_at(nullptr);
  if (!arrived || (gathers && !add_squares_of(phase, k, d, *squares))) return false;
  if (gathers) squares->together(columns, columns) += squares->matrix;
  S.setZero();
  S(Eigen::all, columns) = d.x;
  SQ(Eigen::all, columns) += d.q;
  return true;
}

bool Shooting::pull_back_forward(std::vector<RowSeeds*>& list) {
  for (ShootingPhase& phase : phases) {
    const bolza_model& m = *phase.model;
    Eigen::Index n_x = static_cast<Eigen::Index>(m.n_x), n_q = static_cast<Eigen::Index>(m.n_q),
                 n = static_cast<Eigen::Index>(nlp.n());
    Eigen::MatrixXd S = Eigen::MatrixXd::Zero(n_x, n), SQ = Eigen::MatrixXd::Zero(n_q, n);
    for (Eigen::Index i = 0; i < n_x; ++i)
      if (std::size_t v = phase.first_x0 + static_cast<std::size_t>(i); wanted_.empty() || wanted_[v])
        S(i, static_cast<Eigen::Index>(v)) = 1;
    auto collect = [&](std::size_t node) {
      for (RowSeeds* row : list)
        for (const RowSeeds::Seed& s : row->seeds)
          if (s.phase == phase.number && s.node == node)
            Eigen::Map<Eigen::VectorXd>(row->direct.data(), n) +=
                S.transpose() * Eigen::Map<const Eigen::VectorXd>(s.by_x.data(), n_x);
    };
    collect(0);
    phase.reduced(0).forget();
    for (std::size_t k = 0; k < phase.N(); ++k) {
      if (!advance_directions(phase, k, S, SQ)) {
        nodes_.note_trouble(phase, 0);
        return false;
      }
      collect(k + 1);
    }
    for (RowSeeds* row : list)
      Eigen::Map<Eigen::VectorXd>(row->direct.data(), n) +=
          SQ.transpose() * Eigen::Map<const Eigen::VectorXd>(row->by_q[phase.number].data(), n_q);
  }
  return true;
}

bool Shooting::by_forward(std::size_t moving_rows) const {
  if (shooting_.gradient != ShootingGradient::automatic) return shooting_.gradient == ShootingGradient::forward;
  std::size_t directions = 0;
  for (const ShootingPhase& phase : phases) {
    std::size_t free = 0;
    for (std::size_t j = 0; j < phase.model->n_global; ++j) free += !problem.parameters[phase.parameter(j)].fixed;
    directions = std::max(directions, phase.model->n_x + phase.values_of_input() * phase.model->n_u + free);
  }
  return moving_rows > directions;
}

bool Shooting::pull_back(std::vector<RowSeeds*> list) {
  std::erase_if(list, [](const RowSeeds* row) { return !row->moves; });
  nodes_.leave_site();
  if (list.empty()) return true;
  if (by_forward(list.size())) return pull_back_forward(list);
  return pull_back_adjoint(list);
}

// The objective's gradient, and when asked (or when all rows come together anyway) those of the rows and residuals.
bool Shooting::derivatives(bool with_rows) {
  if (gradient_ready_ && (rows_ready_ || !with_rows)) return true;
  std::size_t residuals = nodes_.gauss_newton || nodes_.integral_squares ? problem.n_r : 0;
  with_rows = with_rows || by_forward(1 + rows.size() + residuals);
  std::vector<RowSeeds> seeds;
  bool with_objective = !gradient_ready_;
  seeds.reserve(1 + rows.size() + residuals);
  if (with_objective && !add_point_row(objective_row, 1, seeds.emplace_back(empty_seeds()))) return false;
  if (with_rows) {
    for (const ShootingRow& row : rows)
      if (!seeds_of(row, 1, seeds.emplace_back(empty_seeds()))) return false;
    for (std::size_t r = 0; r < residuals; ++r)
      if (!add_point_row(1 + problem.n_k + r, 1, seeds.emplace_back(empty_seeds()))) return false;
  }
  std::vector<RowSeeds*> list;
  for (RowSeeds& row : seeds) list.push_back(&row);
  if (!pull_back(list)) return false;
  if (with_objective) {
    gradient_ = seeds.front().direct;
    gradient_ready_ = true;
  }
  if (!with_rows) return true;
  jacobian_.clear();
  residual_gradients_.clear();
  jacobian_.reserve(1);  // a null pointer would mean a failure, also when there are no rows
  for (std::size_t r = 0; r < rows.size(); ++r)
    for (std::size_t c : row_columns_[r]) jacobian_.push_back(seeds[with_objective + r].direct[c]);
  for (std::size_t r = 0; r < residuals; ++r)
    residual_gradients_.push_back(std::move(seeds[with_objective + rows.size() + r].direct));
  return rows_ready_ = true;
}

bool Shooting::point_rows(std::span<const std::size_t> which, std::vector<double>& values) {
  if (!evaluate()) return false;
  values.clear();
  for (std::size_t row : which) values.push_back(nodes_.point_rows[row]);
  return std::all_of(values.begin(), values.end(), [](double v) { return std::isfinite(v); });
}

bool Shooting::point_gradients(std::span<const std::size_t> which, Eigen::MatrixXd& by_variables) {
  if (!evaluate()) return false;
  std::vector<RowSeeds> seeds;
  std::vector<RowSeeds*> list;
  for (std::size_t row : which)
    if (!add_point_row(row, 1, seeds.emplace_back(empty_seeds()))) return false;
  for (RowSeeds& row : seeds) list.push_back(&row);
  if (!pull_back(list)) return false;
  by_variables.resize(static_cast<Eigen::Index>(which.size()), static_cast<Eigen::Index>(nlp.n()));
  for (std::size_t k = 0; k < seeds.size(); ++k)
    by_variables.row(static_cast<Eigen::Index>(k)) =
        Eigen::Map<const Eigen::RowVectorXd>(seeds[k].direct.data(), by_variables.cols());
  return by_variables.allFinite();
}

const double* Shooting::gauss_newton(double sigma) {
  if (!(nodes_.gauss_newton || nodes_.integral_squares) || !evaluate()) return nullptr;
  auto n = static_cast<Eigen::Index>(nlp.n());
  Eigen::MatrixXd G = Eigen::MatrixXd::Zero(n, n);
  if (problem.n_r > 0 && !derivatives(true)) return nullptr;
  for (const std::vector<double>& g : residual_gradients_) {
    Eigen::Map<const Eigen::VectorXd> by(g.data(), n);
    G.selfadjointView<Eigen::Lower>().rankUpdate(by);
  }
  if (nodes_.integral_squares && !add_integral_squares(G)) return nullptr;
  hessian_.clear();
  for (Eigen::Index r = 0; r < n; ++r)
    for (Eigen::Index c = 0; c <= r; ++c) hessian_.push_back(sigma * G(r, c));
  return hessian_.data();
}

std::vector<std::vector<double>> Shooting::costates(std::size_t number, std::span<const double> lambda,
                                                    std::span<const double> samples) {
  if (!evaluate() || lambda.size() != rows.size()) return {};
  if (!phases[number].input_places.empty()) return {};  // between mesh points the delayed values take part
  RowSeeds all = empty_seeds();
  nodes_.leave_site();
  if (!add_point_row(objective_row, 1, all)) return {};
  for (std::size_t r = 0; r < rows.size(); ++r)
    if (lambda[r] != 0 && !seeds_of(rows[r], lambda[r], all)) return {};
  nodes_.leave_site();
  ShootingPhase& phase = phases[number];
  std::vector<std::vector<double>> out(phase.N());
  std::vector<double> l(phase.model->n_x), gradient;
  for (std::size_t k = phase.N(); k-- > 0;) {
    for (const RowSeeds::Seed& s : all.seeds)
      if (s.phase == number && s.node == k + 1)
        for (std::size_t i = 0; i < l.size(); ++i) l[i] += s.by_x[i];
    gradient.assign(phase.segments[k].inputs(), 0.0);
    if (!phase.segments[k].adjoint(l, all.by_q[number], gradient, samples, &out[k])) return {};
    if (k == 0)
      for (const RowSeeds::Seed& s : all.seeds)
        if (s.phase == number && s.node == 0)
          for (std::size_t i = 0; i < l.size(); ++i) l[i] += s.by_x[i];
    out[k].insert(out[k].end(), l.begin(), l.end());
  }
  return out;
}

}  // namespace bolza::transcribe
