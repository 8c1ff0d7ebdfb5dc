// SPDX-License-Identifier: Apache-2.0
// A segment on CVODES: forward sensitivities along directions, of first and second order.    [SUNDIALS, 6.2.6],
// [GOMEZ, 2.5]. With y = (t, x, u, p) and y_i, y_ij how it moves, F = (f, q), h the length:
//   F_i  = h F_y y_i + h_i F,   F_ij = h (F_y y_ij + ∇²F[y_i, y_j]) + h_i F_y y_j + h_j F_y y_i + h_ij F.
#include <cvodes/cvodes_ls.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "runtime/integrate/segment/cvodes_internal.h"
#include "runtime/integrate/segment/step_samples_internal.h"

namespace bolza::integrate {
namespace {

int form_of(const MethodOptions& o) {
  if (o.sensitivity_method == "simultaneous") return CV_SIMULTANEOUS;
  return o.sensitivity_method == "staggered1" ? CV_STAGGERED1 : CV_STAGGERED;
}

std::vector<N_Vector> handles(const std::vector<Vector>& vectors) {
  std::vector<N_Vector> out;
  for (const Vector& v : vectors) out.push_back(v.get());
  return out;
}

}  // namespace

// Sensitivities are linear in themselves: with the matrix of the step one iteration is enough, and a matrix costs less than
// an iteration of many sensitivities.
void CvodesSegment::keep_matrix_fresh(void* memory) {
  CVodeSetLSetupFrequency(memory, 1);
  CVodeSetJacEvalFrequency(memory, 1);
}

void CvodesSegment::set_directions(const Segment::Directions& d, std::span<const double> x) {
  direct_ = d.direct;
  pairs_ = d.pairs;
  sizes_ = d.sizes;
  peak_.resize(n_x);
  std::transform(x.begin(), x.end(), peak_.begin(), [](double v) { return std::fabs(v); });
  by_length_ = direct_.row(static_cast<Eigen::Index>(length_input()));
  moved_ = Eigen::MatrixXd::Zero(static_cast<Eigen::Index>(model.columns()), d.x.cols());
  moved_.bottomRows(static_cast<Eigen::Index>(n_p)) =
      direct_.middleRows(static_cast<Eigen::Index>(controls()), static_cast<Eigen::Index>(n_p));
  list_entries();
}

// Which entries of the Jacobian a direction meets: those by states, and those by what it moves.
void CvodesSegment::list_entries() {
  const auto& places = model.rate_places();
  std::size_t m = static_cast<std::size_t>(moved_.cols()), behind_states = 1 + n_x;
  for (EntriesOf& part : of_part_) {
    part.by_state.clear();
    part.by_other.assign(m, {});
  }
  bool varies = n_u > 0 || options.times_move;
  for (std::size_t e = 0; e < places.size(); ++e) {
    std::size_t row = static_cast<std::size_t>(places[e].row), col = static_cast<std::size_t>(places[e].col);
    EntriesOf& part = of_part_[row >= n_x];
    Entry entry{e, row >= n_x ? row - n_x : row, col};
    if (by_column_of_state(col)) {
      entry.col -= 1;
      part.by_state.push_back(entry);
    } else
      for (std::size_t k = 0; k < m; ++k) {
        bool may_move = varies && col < behind_states + n_u;
        if (may_move || moved_(static_cast<Eigen::Index>(col), static_cast<Eigen::Index>(k)) != 0)
          part.by_other[k].push_back(entry);
      }
  }
}

// How the model's columns after the states move along each direction at s.
void CvodesSegment::move_directions(double s) {
  moved_.row(0) = direct_.row(static_cast<Eigen::Index>(begin_input())) + s * by_length_;
  for (std::size_t i = 0; i < n_u; ++i) {
    auto row = moved_.row(static_cast<Eigen::Index>(1 + n_x + i));
    row = share(i, s) * direct_.row(static_cast<Eigen::Index>(i));
    for (std::size_t place = 1; place < places.size(); ++place)
      row += share_at(place, s) * direct_.row(static_cast<Eigen::Index>(place * n_u + i));
  }
}

// out = h (D S + D_direct d) + (f, q) dh of direction k, for the rates of states or of integrals.
void CvodesSegment::along(std::size_t k, N_Vector S, N_Vector out, Rows rows) const {
  const EntriesOf& part = of_part_[rows == Rows::integrals];
  const double* sensitivity = N_VGetArrayPointer(S);
  const double* moved = moved_.col(static_cast<Eigen::Index>(k)).data();
  const double* rate = point_.rows().data() + (rows == Rows::integrals ? n_x : 0);
  std::size_t count = rows == Rows::integrals ? n_q : n_x;
  double *to = N_VGetArrayPointer(out), h = times.length, dh = by_length_[static_cast<Eigen::Index>(k)];
  std::fill_n(to, count, 0.0);
  for (const Entry& e : part.by_state) to[e.row] += point_.entry(e.place) * sensitivity[e.col];
  for (const Entry& e : part.by_other[k]) to[e.row] += point_.entry(e.place) * moved[e.col];
  for (std::size_t r = 0; r < count; ++r) to[r] = h * to[r] + (dh != 0 ? dh * rate[r] : 0);
}

// What directions add to the second order: h ∇²F[y_i, y_j] + h_i F_y y_j + h_j F_y y_i. `out` holds what `along` found.
bool CvodesSegment::add_second(N_Vector* S, N_Vector* out, std::size_t first, std::size_t count) {
  if (pairs_.empty()) return true;
  using Eigen::Index;
  Index m = moved_.cols() - static_cast<Index>(pairs_.size()), rows = static_cast<Index>(count);
  Eigen::MatrixXd y = moved_.leftCols(m), curvature;
  for (Index k = 0; k < m; ++k)
    y.col(k).segment(1, static_cast<Index>(n_x)) =
        Eigen::Map<const Eigen::VectorXd>(N_VGetArrayPointer(S[k]), static_cast<Index>(n_x));
  if (!model.second_along(y, pairs_, first, count, curvature)) return false;
  Eigen::Map<const Eigen::VectorXd> F(point_.rows().data() + first, rows);
  auto of = [&](Index k) { return Eigen::Map<Eigen::VectorXd>(N_VGetArrayPointer(out[k]), rows); };
  for (std::size_t k = 0; k < pairs_.size(); ++k) {
    auto [i, j] = pairs_[k];
    auto to = of(m + static_cast<Index>(k));
    double hi = by_length_[i] / times.length, hj = by_length_[j] / times.length;
    to += times.length * curvature.col(static_cast<Index>(k));
    if (hi != 0) to += hi * (of(j) - by_length_[j] * F);
    if (hj != 0) to += hj * (of(i) - by_length_[i] * F);
  }
  return true;
}

bool CvodesSegment::move_to_directions(double s, N_Vector at) {
  if (!point_.move_to(s, view(at)) || !point_.entries()) return false;
  if (n_u || options.times_move) move_directions(s);
  return true;
}

int CvodesSegment::rhs_sensitivities(int n, double s, N_Vector at, N_Vector, N_Vector* S, N_Vector* out, void* user,
                                     N_Vector, N_Vector) {
  CvodesSegment& w = *static_cast<CvodesSegment*>(user);
  if (!w.move_to_directions(s, at)) return 1;
  for (int k = 0; k < n; ++k) w.along(static_cast<std::size_t>(k), S[k], out[k], Rows::states);
  return w.add_second(S, out, 0, w.n_x) ? 0 : 1;
}

int CvodesSegment::rhs_sensitivity(int, double s, N_Vector at, N_Vector, int k, N_Vector S, N_Vector out, void* user,
                                   N_Vector, N_Vector) {
  CvodesSegment& w = *static_cast<CvodesSegment*>(user);
  if (!w.move_to_directions(s, at)) return 1;
  w.along(static_cast<std::size_t>(k), S, out, Rows::states);
  return 0;
}

int CvodesSegment::quadrature_sensitivities(int n, double s, N_Vector at, N_Vector* S, N_Vector, N_Vector* out, void* user,
                                            N_Vector, N_Vector) {
  CvodesSegment& w = *static_cast<CvodesSegment*>(user);
  if (!w.move_to_directions(s, at)) return 1;
  for (int k = 0; k < n; ++k) w.along(static_cast<std::size_t>(k), S[k], out[k], Rows::integrals);
  return w.add_second(S, out, w.n_x, w.n_q) ? 0 : 1;
}

// atol / |p̄| of each direction, or nothing: then the states alone choose the steps. Where a state has been so large that its
// rounding error, in stiff models amplified, is above atol, a share of its size takes the place of atol: no step is short
// enough for less.
double CvodesSegment::sensitivity_tolerance(std::size_t i, std::size_t k, double floor) const {
  const double rounding = std::max(64 * std::numeric_limits<double>::epsilon(), 1e-4 * options.rtol);
  return std::max(integral_tolerance(k) * nonlinear::size_of(model.model().x[i]),
                  rounding * floor / (sizes_[k] > 0 ? sizes_[k] : 1));
}

double CvodesSegment::integral_tolerance(std::size_t k) const {
  double share = options.method_options.sensitivity_tolerance * options.rtol * options.atol_factor;
  return sizes_[k] > 0 ? share / sizes_[k] : share;
}

bool CvodesSegment::set_sensitivity_tolerances(void* memory, bool with_integrals) {
  const MethodOptions& o = options.method_options;
  std::size_t m = sizes_.size();
  floor_ = peak_;
  std::vector<Vector> tolerance, quad;
  std::vector<N_Vector> T, TQ;
  for (std::size_t k = 0; k < m; ++k) {
    T.push_back(tolerance.emplace_back(make_vector(n_x, context_.get())).get());
    for (std::size_t i = 0; i < n_x; ++i) view(T[k])[i] = sensitivity_tolerance(i, k, floor_[i]);
    TQ.push_back(quad.emplace_back(make_vector(std::max<std::size_t>(n_q, 1), context_.get())).get());
    N_VConst(integral_tolerance(k), TQ[k]);
  }
  bool control = o.sensitivity_error_control > 0;
  return CVodeSensSVtolerances(memory, options.rtol, T.data()) >= 0 && CVodeSetSensErrCon(memory, control) >= 0 &&
         (!n_q || !with_integrals ||
          (CVodeQuadSensSVtolerances(memory, options.rtol, TQ.data()) >= 0 &&
           CVodeSetQuadSensErrCon(memory, control && o.quadrature_error_control > 0) >= 0));
}

/// The tolerances follow the states, in powers of two.
bool CvodesSegment::keep_above_rounding(void* memory) {
  bool grew = false;
  for (std::size_t i = 0; i < n_x; ++i) {
    peak_[i] = std::max(peak_[i], std::fabs(view(y_.get())[i]));
    grew = grew || peak_[i] > 2 * floor_[i];
  }
  return !grew || set_sensitivity_tolerances(memory, false);
}

/// Step by step to s or beyond it; then the states and sensitivities at s.
bool CvodesSegment::steps_to(void* memory, double s, double& reached, std::span<N_Vector> S) {
  for (long step = 0; reached < s; ++step)
    if (step == options.max_steps || !one_step(memory, reached)) return false;
  return look_at(memory, s, S);
}

bool CvodesSegment::one_step(void* memory, double& reached) {
  return CVode(memory, 1, y_.get(), &reached, CV_ONE_STEP) >= 0 && keep_above_rounding(memory);
}

/// The states and sensitivities at s in the last step.
bool CvodesSegment::look_at(void* memory, double s, std::span<N_Vector> S) {
  return CVodeGetDky(memory, s, 0, y_.get()) >= 0 && CVodeGetSensDky(memory, s, 0, S.data()) >= 0;
}

void CvodesSegment::take_sample(std::size_t k, std::span<N_Vector> S) {
  take_sample(k, view(y_.get()));
  Eigen::MatrixXd& by = samples->by.emplace_back(static_cast<Eigen::Index>(n_x), static_cast<Eigen::Index>(S.size()));
  for (std::size_t j = 0; j < S.size(); ++j)
    by.col(static_cast<Eigen::Index>(j)) = Eigen::Map<const Eigen::VectorXd>(N_VGetArrayPointer(S[j]), by.rows());
}

/// From the start to s = 1 over the samples, whose states and sensitivities are interpolated.
bool CvodesSegment::to_end(void* memory, std::span<N_Vector> S) {
  if (samples && samples->per_step) return to_end_with_samples_of_steps(memory, S);
  double reached = 0;
  for (std::size_t k = 0; samples && k < samples->at.size(); ++k) {
    if (samples->at[k] > 0 && !steps_to(memory, samples->at[k], reached, S)) return false;
    take_sample(k, S);
  }
  return steps_to(memory, 1, reached, S);
}

bool CvodesSegment::to_end_with_samples_of_steps(void* memory, std::span<N_Vector> S) {
  StepSamples own(*samples);
  double reached = 0;
  for (long step = 0; reached < 1; ++step) {
    double from = reached;
    if (step == options.max_steps || !one_step(memory, reached)) return false;
    auto take = [&](std::size_t k, double s) { return look_at(memory, s, S) && (take_sample(k, S), true); };
    if (!own.add(from, reached, take)) return false;
  }
  return look_at(memory, 1, S);
}

bool CvodesSegment::start_sensitivities(const Segment::Directions& d) {
  std::size_t m = d.sizes.size();
  bool fresh = !sens_memory_ || sens_.size() != m || sens_pairs_ != d.pairs;
  if (fresh) {
    sens_.clear();
    quad_sens_.clear();
    sens_pairs_ = d.pairs;
    sens_memory_ = make(newton_sens_);
    keep_matrix_fresh(sens_memory_.get());
    for (std::size_t k = 0; k < m; ++k) {
      sens_.push_back(make_vector(n_x, context_.get()));
      quad_sens_.push_back(make_vector(std::max<std::size_t>(n_q, 1), context_.get()));
    }
  }
  std::vector<N_Vector> S = handles(sens_), SQ = handles(quad_sens_);
  for (std::size_t k = 0; k < m; ++k) {
    Eigen::Map<Eigen::VectorXd>(N_VGetArrayPointer(S[k]), d.x.rows()) = d.x.col(static_cast<Eigen::Index>(k));
    N_VConst(0, SQ[k]);
  }
  void* memory = sens_memory_.get();
  int form = form_of(options.method_options), n = static_cast<int>(m);
  if (form == CV_STAGGERED1 && !d.pairs.empty()) form = CV_STAGGERED;  // second order needs the first alongside
  if (!fresh)
    return CVodeSensReInit(memory, form, S.data()) >= 0 && (!n_q || CVodeQuadSensReInit(memory, SQ.data()) >= 0) &&
           set_sensitivity_tolerances(memory, true);
  int made = form == CV_STAGGERED1 ? CVodeSensInit1(memory, n, form, rhs_sensitivity, S.data())
                                   : CVodeSensInit(memory, n, form, rhs_sensitivities, S.data());
  return made >= 0 && (!n_q || CVodeQuadSensInit(memory, quadrature_sensitivities, SQ.data()) >= 0) &&
         set_sensitivity_tolerances(memory, true);
}

bool CvodesSegment::tangent(std::span<double> x, std::span<double> integrals, Segment::Directions& d) {
  Eigen::Index m = d.x.cols();
  if (!n_x || times.length == 0) {
    if (!without_states(x)) return false;
    if (samples) samples->by.assign(samples->at.size(), d.x);
    return true;
  }
  if (!m) {
    bool good = forward(x, integrals);
    if (samples) samples->by.assign(samples->at.size(), d.x);
    return good;
  }
  if (!find_anchor(x)) return false;
  ReducedModel::Anchored anchored(model, anchor_);
  set_directions(d, x);
  if (form_of(options.method_options) == CV_STAGGERED && d.pairs.empty() && steps_are_ours())
    return run_in_a_block(block_, x, integrals, d);
  if (!start_sensitivities(d) || !start(sens_memory_.get(), x)) return false;
  void* memory = sens_memory_.get();
  std::vector<N_Vector> S = handles(sens_), SQ = handles(quad_sens_);
  double reached = 1;
  if (!to_end(memory, S)) return false;
  results(memory, x, integrals);
  if (n_q && CVodeGetQuadSens(memory, &reached, SQ.data()) < 0) return false;
  for (Eigen::Index k = 0; k < m; ++k) {
    d.x.col(k) = Eigen::Map<Eigen::VectorXd>(N_VGetArrayPointer(S[static_cast<std::size_t>(k)]), d.x.rows());
    d.q.col(k) += Eigen::Map<Eigen::VectorXd>(N_VGetArrayPointer(SQ[static_cast<std::size_t>(k)]), d.q.rows());
  }
  return d.x.allFinite() && d.q.allFinite();
}

}  // namespace bolza::integrate
