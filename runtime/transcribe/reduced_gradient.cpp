#include "runtime/transcribe/reduced_gradient.h"

#include <sys/resource.h>

#include <Eigen/Dense>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <numeric>

#include "runtime/transcribe/shooting_internal.h"

namespace bolza::transcribe {
namespace {

using Clock = std::chrono::steady_clock;

/// Bytes; 0 where the system does not tell.
double resident() {
  rusage usage{};
  return getrusage(RUSAGE_SELF, &usage) == 0 ? 1024.0 * static_cast<double>(usage.ru_maxrss) : 0;
}

double seconds_since(Clock::time_point began) { return std::chrono::duration<double>(Clock::now() - began).count(); }

std::string at_time(const std::string& name, double t) {
  char text[32];
  std::snprintf(text, sizeof text, "(%.6g)", t);
  return name + text;
}

/// Directions over the variables of the NLP that shooting makes; initial values that equations determine are not among them.
class Directions {
 public:
  explicit Directions(Shooting& shooting) : shooting_(shooting) {
    const bolza_problem& problem = shooting.problem;
    for (std::size_t i = 0; i < problem.n_parameters; ++i)
      if (!problem.parameters[i].fixed) add(i, problem.parameters[i].name, problem.parameters[i].name);
    for (const ShootingPhase& phase : shooting.phases) {
      std::string suffix = shooting.phases.size() > 1 && phase.phase->name ? std::string("@") + phase.phase->name : "";
      add_initial_values(phase, suffix);
      for (std::size_t k = 0; k < phase.N() + phase.linear; ++k)
        for (std::size_t i = 0; i < phase.model->n_u; ++i)
          add(phase.u_at(k, i, false), at_time(phase.model->u[i].name, time_of(phase, k)) + suffix, phase.model->u[i].name);
    }
  }

  /// Keeps the directions of these variables. Gives back the first that has none, or "".
  std::string keep(const std::vector<std::string>& names) {
    if (names.empty()) return {};
    auto belongs = [](const std::string& of, const std::string& name) {  // an element of an array, too
      return of == name || of.starts_with(name + "[");
    };
    for (const std::string& name : names)
      if (std::none_of(list.begin(), list.end(), [&](const GradientDirection& d) { return belongs(d.of, name); }))
        return name;
    std::vector<GradientDirection> kept;
    std::vector<std::size_t> places;
    for (std::size_t k = 0; k < list.size(); ++k)
      if (std::any_of(names.begin(), names.end(), [&](const std::string& name) { return belongs(list[k].of, name); }))
        kept.push_back(list[k]), places.push_back(variables[k]);
    list = std::move(kept), variables = std::move(places);
    return {};
  }

  std::vector<GradientDirection> list;
  std::vector<std::size_t> variables;                 ///< [directions] of the NLP
  std::vector<std::size_t> determined, initial_rows;  ///< initial values and the rows that determine them

 private:
  double time_of(const ShootingPhase& phase, std::size_t k) const {
    const std::vector<double>& w = shooting_.nlp.start;
    return phase.mesh.point[k].at(w[phase.parameter(0)], w[phase.parameter(1)]);
  }

  void add(std::size_t variable, std::string name, std::string of) {
    list.push_back({std::move(name), std::move(of), shooting_.nlp.start[variable]});
    variables.push_back(variable);
  }

  void add_initial_values(const ShootingPhase& phase, const std::string& suffix) {
    const bolza_model& m = *phase.model;
    std::size_t loose = 0;
    for (std::size_t i = 0; i < m.n_x; ++i) loose += !m.x[i].fixed;
    bool square = m.n_initial > 0 && m.n_initial == loose;
    for (std::size_t i = 0; i < m.n_x; ++i) {
      if (square && !m.x[i].fixed) determined.push_back(phase.first_x0 + i);
      else add(phase.first_x0 + i, at_time(m.x[i].name, time_of(phase, 0)) + suffix, m.x[i].name);
    }
    if (!square) return;
    for (std::size_t r = 0; r < shooting_.rows.size(); ++r)
      if (shooting_.rows[r].kind == ShootingRow::Kind::node &&
          shooting_.rows[r].function.what == NodeFunction::What::initial &&
          shooting_.rows[r].function.site.phase == phase.number)
        initial_rows.push_back(r);
  }

  Shooting& shooting_;
};

class Gradients {
 public:
  Gradients(bolza_problem& problem, const TranscribeOptions& options, const GradientOptions& gradient)
      : problem_(problem),
        options_(options),
        gradient_(gradient),
        discrete_(!gradient.ways.empty() && (gradient.ways[0] == GradientWay::discrete || gradient.forward_of_steps)),
        main_(make(ShootingGradient::adjoint, discrete_)) {}

  ReducedGradient run() {
    ReducedGradient result;
    result.objection = main_->objection();
    if (!result.objection.empty()) return result;
    if (!determine_initial_values(Directions(*main_))) {
      result.trouble = main_->trouble;
      return result;
    }
    Directions directions(*main_);  // with the values that were found
    result.unknown = directions.keep(gradient_.by);
    result.directions = directions.list;
    if (!result.unknown.empty()) return result;
    announce("simulation", 0, 0);
    if (!simulate(result)) return result;
    for (GradientWay way : gradient_.ways)
      if (WayResult made = by(way, directions, result); !made.refused || result.ways.empty())
        result.ways.push_back(std::move(made));
    if (!result.probes.empty()) make_probes(directions, result);  // of the ways that came last
    if (!gradient_.times.empty()) {
      result.product = product(directions);
      if (result.product.empty()) result.ways[0].good = false, result.trouble = main_->trouble;
    }
    if (gradient_.hessian) {
      bool forward = gradient_.ways[0] == GradientWay::forward && !gradient_.forward_of_steps && sensitivity_form();
      result.hessian_by = forward ? GradientWay::forward : discrete_ ? GradientWay::discrete : GradientWay::adjoint;
      result.hessian = forward ? hessian_by_sensitivities(directions) : hessian(directions);
      if (result.hessian.empty()) result.ways[0].good = false, result.trouble = main_->trouble;
      else if (gradient_.check_hessian) compare_hessian(directions, result);
    }
    return result;
  }

 private:
  std::unique_ptr<Shooting> make(ShootingGradient way, bool discrete, bool idas = true) const {
    ShootingOptions shooting{.rtol = gradient_.rtol, .gradient = way, .constraints = false};
    if (discrete) shooting.integrator = gradient_.integrator, shooting.fixed_step = gradient_.fixed_step;
    bool by_forward = gradient_.ways[0] == GradientWay::forward;
    shooting.idas = idas && gradient_.idas && !discrete && by_forward == (way == ShootingGradient::forward);
    shooting.method_options = gradient_.method_options, shooting.max_steps = 20000000;
    auto made = std::make_unique<Shooting>(problem_, options_, shooting, nullptr);
    return made;
  }

  /// The values of F0 by the variables that it determines and by the directions. [rows × n]
  bool initial_jacobian(Shooting& shooting, const Directions& d, Eigen::MatrixXd& by_all, Eigen::VectorXd& value) const {
    const double* g = shooting.constraints();
    const double* jacobian = g ? shooting.jacobian() : nullptr;
    if (!jacobian) return false;
    Eigen::Index n = static_cast<Eigen::Index>(shooting.nlp.n());
    by_all = Eigen::MatrixXd::Zero(static_cast<Eigen::Index>(d.initial_rows.size()), n);
    value.resize(by_all.rows());
    std::vector<Eigen::Index> place(shooting.nlp.m(), -1);
    for (std::size_t k = 0; k < d.initial_rows.size(); ++k) {
      place[d.initial_rows[k]] = static_cast<Eigen::Index>(k);
      value[static_cast<Eigen::Index>(k)] = g[d.initial_rows[k]];
    }
    for (std::size_t e = 0; e < shooting.nlp.jacobian.size(); ++e) {
      Eigen::Index row = place[static_cast<std::size_t>(shooting.nlp.jacobian.row[e])];
      if (row >= 0) by_all(row, shooting.nlp.jacobian.col[e]) += jacobian[e];
    }
    return true;
  }

  static Eigen::MatrixXd columns(const Eigen::MatrixXd& all, const std::vector<std::size_t>& which) {
    Eigen::MatrixXd out(all.rows(), static_cast<Eigen::Index>(which.size()));
    for (std::size_t k = 0; k < which.size(); ++k)
      out.col(static_cast<Eigen::Index>(k)) = all.col(static_cast<Eigen::Index>(which[k]));
    return out;
  }

  /// Seconds of `work` at the start, where nothing is remembered: the least of up to five runs within a tenth of a second.
  template <class Work>
  double shortest(Shooting& shooting, Work&& work) const {
    std::vector<double> elsewhere = main_->nlp.start;
    for (double& v : elsewhere) v += 1e-9 * std::max(1.0, std::abs(v));
    double least = INFINITY, sum = 0;
    for (int run = 0; run < 5 && sum < 0.1; ++run) {
      shooting.move_to(elsewhere);
      shooting.move_to(main_->nlp.start);
      auto began = Clock::now();
      bool good = work();
      double seconds = seconds_since(began);
      least = std::min(least, seconds), sum += seconds;
      if (!good) break;
    }
    return least;
  }

  /// The objective, and what it costs.
  bool simulate(ReducedGradient& result) {
    std::unique_ptr<Shooting> fresh = make(ShootingGradient::adjoint, discrete_);
    bool good = true;
    result.seconds_simulation = shortest(*fresh, [&] { return good = fresh->objective(result.objective); });
    if (!good) result.trouble = fresh->trouble;
    return good;
  }

  /// Newton's method on the initial equations; the start of the NLP is moved.
  bool determine_initial_values(const Directions& d) { return d.determined.empty() || settle(*main_, d, main_->nlp.start); }

  bool settle(Shooting& shooting, const Directions& d, std::vector<double>& w) const {
    for (int iteration = 0; iteration < 30; ++iteration) {
      shooting.move_to(w);
      Eigen::MatrixXd all;
      Eigen::VectorXd value;
      if (!initial_jacobian(shooting, d, all, value)) return false;
      Eigen::VectorXd step = columns(all, d.determined).partialPivLu().solve(value);
      if (!step.allFinite()) return false;
      double size = 0;
      for (std::size_t k = 0; k < d.determined.size(); ++k) {
        w[d.determined[k]] -= step[static_cast<Eigen::Index>(k)];
        size = std::max(size, std::abs(step[static_cast<Eigen::Index>(k)]) / shooting.nlp.scale[d.determined[k]]);
      }
      if (size < 1e-13) break;
    }
    shooting.move_to(w);
    return true;
  }

  /// From the gradient by all variables to the one by directions: initial values that depend on them are taken along.
  std::vector<double> reduce(Shooting& shooting, const Directions& d, const double* by_variables) const {
    std::vector<double> result;
    for (std::size_t v : d.variables) result.push_back(by_variables[v]);
    if (d.determined.empty()) return result;
    Eigen::MatrixXd all;
    Eigen::VectorXd value, by_determined(static_cast<Eigen::Index>(d.determined.size()));
    std::vector<double> kept(by_variables, by_variables + shooting.nlp.n());  // the next evaluation may move it
    if (!initial_jacobian(shooting, d, all, value)) return {};
    for (std::size_t k = 0; k < d.determined.size(); ++k)
      by_determined[static_cast<Eigen::Index>(k)] = kept[d.determined[k]];
    Eigen::VectorXd multiplier = columns(all, d.determined).transpose().partialPivLu().solve(by_determined);
    Eigen::VectorXd through = columns(all, d.variables).transpose() * multiplier;
    for (std::size_t k = 0; k < result.size(); ++k) result[k] -= through[static_cast<Eigen::Index>(k)];
    return result;
  }

  WayResult by(GradientWay way, const Directions& d, ReducedGradient& report) {
    WayResult result{way};
    announce(transcribe::name_of(way), 0, 0);
    bool probe = !report.ways.empty() && d.list.size() > many_directions && make_probes(d, report);
    if (probe && (way == GradientWay::differences || way == GradientWay::forward)) {
      auto began = Clock::now();
      result.along = way == GradientWay::differences ? quotients(d, probes_) : sensitivities(probes_, report);
      result.seconds = seconds_since(began);
      result.good = result.along.size() == report.probes.size();
      result.memory = resident();
      return result;
    }
    if (way == GradientWay::differences) {
      auto began = Clock::now();
      std::vector<std::size_t> all(d.variables);
      Eigen::MatrixXd unit =
          Eigen::MatrixXd::Zero(static_cast<Eigen::Index>(main_->nlp.n()), static_cast<Eigen::Index>(all.size()));
      for (std::size_t k = 0; k < all.size(); ++k) unit(static_cast<Eigen::Index>(all[k]), static_cast<Eigen::Index>(k)) = 1;
      result.gradient = quotients(d, unit);
      result.seconds = seconds_since(began);
    } else {
      std::unique_ptr<Shooting> shooting =
          make(way == GradientWay::forward ? ShootingGradient::forward : ShootingGradient::adjoint,
               way == GradientWay::discrete || (way == GradientWay::forward && gradient_.forward_of_steps));
      if (!shooting->objection().empty()) return result.refused = true, result;
      shooting->want(wanted(d));
      result.seconds = shortest(*shooting, [&] {
        double f = 0;
        const double* g = shooting->objective(f) ? shooting->gradient() : nullptr;
        if (g) result.gradient = reduce(*shooting, d, g);
        else report.trouble = shooting->trouble;
        return g != nullptr;
      });
    }
    result.good = result.gradient.size() == d.list.size();
    result.memory = resident();
    return result;
  }

  void announce(const char* what, std::size_t done, std::size_t of) const {
    if (gradient_.progress) gradient_.progress(what, done, of);
  }

  /// A direction's typical length.
  double size_of(std::size_t variable) const {
    double at = main_->nlp.start[variable];
    return at != 0 ? std::abs(at) : main_->nlp.scale[variable];
  }

  /// Columns of `probes_` and what the first way and those like it find along them.
  bool make_probes(const Directions& d, ReducedGradient& report) {
    using Eigen::Index;
    const std::vector<double>& g = report.ways[0].gradient;
    if (!report.ways[0].good) return false;
    if (report.probes.empty()) {
      probes_ =
          Eigen::MatrixXd::Zero(static_cast<Index>(main_->nlp.n()), static_cast<Index>(random_probes + largest_probes));
      std::uint64_t state = 1;  // of a linear congruence: the same directions on every machine
      for (std::size_t k = 0; k < random_probes; ++k) {
        report.probes.push_back("random " + std::to_string(k + 1));
        for (std::size_t v : d.variables) {
          state = state * 6364136223846793005u + 1442695040888963407u;
          probes_(static_cast<Index>(v), static_cast<Index>(k)) = (state >> 63 ? 1 : -1) * size_of(v);
        }
      }
      std::vector<std::size_t> order(g.size());
      std::iota(order.begin(), order.end(), std::size_t{0});
      auto moves = [&](std::size_t k) { return std::abs(g[k]) * size_of(d.variables[k]); };
      std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return moves(a) > moves(b); });
      for (std::size_t k = 0; k < largest_probes; ++k) {
        report.probes.push_back(d.list[order[k]].name);
        probes_(static_cast<Index>(d.variables[order[k]]), static_cast<Index>(random_probes + k)) = 1;
      }
    }
    for (WayResult& way : report.ways) {
      if (!way.along.empty() || way.gradient.empty()) continue;
      for (Index c = 0; c < probes_.cols(); ++c) {
        double sum = 0;
        for (std::size_t k = 0; k < d.variables.size(); ++k)
          sum += way.gradient[k] * probes_(static_cast<Index>(d.variables[k]), c);
        way.along.push_back(sum);
      }
    }
    return true;
  }

  /// Derivatives along directions of the variables by forward sensitivities; initial values that equations determine follow.
  std::vector<double> sensitivities(const Eigen::MatrixXd& V, ReducedGradient& report) {
    std::vector<double> lambda;
    Eigen::MatrixXd T;
    std::unique_ptr<Shooting> shooting = make(ShootingGradient::forward, gradient_.forward_of_steps);
    Directions d(*main_);
    d.keep(gradient_.by);
    Eigen::RowVectorXd out;
    shooting->move_to(main_->nlp.start);
    if (!lagrangian(*main_, d, lambda, T)) return report.trouble = main_->trouble, std::vector<double>{};
    Eigen::MatrixXd moved(static_cast<Eigen::Index>(d.variables.size()), V.cols());
    for (std::size_t k = 0; k < d.variables.size(); ++k)
      moved.row(static_cast<Eigen::Index>(k)) = V.row(static_cast<Eigen::Index>(d.variables[k]));
    if (!shooting->objective_along(T * moved, out)) return report.trouble = shooting->trouble, std::vector<double>{};
    return {out.data(), out.data() + out.size()};
  }

  std::vector<char> wanted(const Directions& d) const {
    std::vector<char> out(main_->nlp.n(), 0);
    for (const std::vector<std::size_t>* list : {&d.variables, &d.determined})
      for (std::size_t v : *list) out[v] = 1;
    return out;
  }

  /// The other form of second derivatives and differences of gradients beside those of the result.
  void compare_hessian(const Directions& d, ReducedGradient& result) {
    auto compare = [&](GradientWay way, const std::vector<double>& other) {
      if (other.empty()) return;
      double size = 0, worst = 0;
      std::size_t n = d.list.size();
      for (std::size_t r = 0; r < n; ++r)
        for (std::size_t c = 0; c < n; ++c) {
          double moves = size_of(d.variables[r]) * size_of(d.variables[c]), of = result.hessian[r * n + c];
          size = std::max(size, std::abs(of) * moves);
          worst = std::max(worst, std::abs(other[r * n + c] - of) * moves);
        }
      result.hessian_check.push_back({way, size > 0 ? worst / size : worst});
    };
    if (result.hessian_by == GradientWay::forward) compare(GradientWay::adjoint, hessian(d));
    else if (d.list.size() <= many_in_second_order && sensitivity_form())
      compare(GradientWay::forward, hessian_by_sensitivities(d));
    compare(GradientWay::differences, differences_of_gradients(d));
  }

  /// Second derivatives from central differences of gradients; empty where these cannot be had.
  std::vector<double> differences_of_gradients(const Directions& d) {
    using Eigen::Index;
    Index n = static_cast<Index>(d.list.size());
    Eigen::MatrixXd quotients(n, n);
    Shooting& s = *main_;
    s.move_to(s.nlp.start);
    double here = 0;
    if (!s.objective(here)) return {};
    s.repeat_steps(discrete_);
    for (Index c = 0; c < n; ++c) {
      std::size_t v = d.variables[static_cast<std::size_t>(c)];
      double at = s.nlp.start[v], h = relative_step() * (at != 0 ? std::abs(at) : s.nlp.scale[v]);
      for (double side : {1.0, -1.0}) {
        std::vector<double> w = s.nlp.start;
        w[v] += side * h;
        if (!d.determined.empty() && !settle(s, d, w)) return {};
        s.move_to(w);
        const double* g = s.gradient();
        std::vector<double> by = g ? reduce(s, d, g) : std::vector<double>{};
        if (by.empty()) return {};
        Eigen::Map<const Eigen::VectorXd> value(by.data(), n);
        if (side > 0) quotients.col(c) = value;
        else quotients.col(c) = (quotients.col(c) - value) / (2 * h);
      }
    }
    s.repeat_steps(false);
    s.move_to(s.nlp.start);
    return {quotients.data(), quotients.data() + quotients.size()};
  }

  bool objective_at(std::vector<double> w, const Directions& d, double& f) {
    if (!d.determined.empty() && !settle(*main_, d, w)) return false;
    main_->move_to(w);
    return main_->objective(f);
  }

  /// With steps that are held the objective is known to rounding, else to the tolerance.
  double relative_step() const { return discrete_ ? 1e-5 : std::cbrt(std::max(gradient_.rtol, 1e-12)); }

  /// Central difference quotients along the columns of V [n × m], of the variables of the NLP.
  std::vector<double> quotients(const Directions& d, const Eigen::MatrixXd& V) {
    using Eigen::Index;
    std::vector<double> result;
    main_->move_to(main_->nlp.start);
    double here = 0;
    if (discrete_ && !main_->objective(here)) return {};
    main_->repeat_steps(discrete_);
    for (Index c = 0; c < V.cols(); ++c) {
      announce("differences", static_cast<std::size_t>(c + 1), static_cast<std::size_t>(V.cols()));
      double fastest = 0, high = 0, low = 0;
      for (std::size_t v : d.variables)
        if (double move = V(static_cast<Index>(v), c); move != 0) fastest = std::max(fastest, std::abs(move) / size_of(v));
      double h = relative_step() / fastest;
      std::vector<double> w = main_->nlp.start;
      auto shift = [&](double by) {
        for (std::size_t v : d.variables) w[v] += by * V(static_cast<Index>(v), c);
      };
      shift(h);
      if (!objective_at(w, d, high)) return {};
      shift(-2 * h);
      if (!objective_at(w, d, low)) return {};
      result.push_back((high - low) / (2 * h));
    }
    main_->repeat_steps(false);
    main_->move_to(main_->nlp.start);
    return result;
  }

  /// Multipliers and T of ∇²J = T' ∇²L T, see `hessian`. False: an evaluation failed.
  bool lagrangian(Shooting& s, const Directions& d, std::vector<double>& lambda, Eigen::MatrixXd& T) const {
    using Eigen::Index;
    s.move_to(main_->nlp.start);
    Index n = static_cast<Index>(s.nlp.n()), m = static_cast<Index>(d.list.size());
    lambda.assign(s.rows.size(), 0.0);
    T = Eigen::MatrixXd::Zero(n, m);
    for (Index k = 0; k < m; ++k) T(static_cast<Index>(d.variables[static_cast<std::size_t>(k)]), k) = 1;
    if (d.determined.empty()) return true;
    const double* g = s.gradient();
    if (!g) return false;
    Eigen::VectorXd by(static_cast<Index>(d.determined.size())), value;
    for (std::size_t k = 0; k < d.determined.size(); ++k) by[static_cast<Index>(k)] = g[d.determined[k]];
    Eigen::MatrixXd all;
    if (!initial_jacobian(s, d, all, value)) return false;
    Eigen::PartialPivLU<Eigen::MatrixXd> F0 = columns(all, d.determined).partialPivLu();
    Eigen::VectorXd multiplier = F0.transpose().solve(-by);
    Eigen::MatrixXd moved = F0.solve(-columns(all, d.variables));
    for (std::size_t k = 0; k < d.determined.size(); ++k) {
      lambda[d.initial_rows[k]] = multiplier[static_cast<Index>(k)];
      T.row(static_cast<Index>(d.determined[k])) = moved.row(static_cast<Index>(k));
    }
    return true;
  }

  /// The Hessian times one direction, without the Hessian where the equations are continuous.
  std::vector<double> product(const Directions& d) {
    std::vector<double> lambda;
    Eigen::MatrixXd T, moved;
    if (!lagrangian(*main_, d, lambda, T)) return {};
    Eigen::MatrixXd v = Eigen::MatrixXd::Zero(T.cols(), 1);
    for (std::size_t k = 0; k < d.list.size(); ++k)
      if (auto at = gradient_.times.find(d.list[k].name); at != gradient_.times.end())
        v(static_cast<Eigen::Index>(k), 0) = at->second;
    if (main_->has_products()) {
      if (!main_->hessian_times(1, lambda, T * v, moved)) return {};
      v = T.transpose() * moved;
    } else {
      std::vector<double> H = hessian(d);
      if (H.empty()) return {};
      v = Eigen::Map<Eigen::MatrixXd>(H.data(), T.cols(), T.cols()) * v;
    }
    return {v.data(), v.data() + v.size()};
  }

  /// T' ∇²L T: L with the multipliers that make initial values which equations determine stationary, T how all variables
  /// move along the directions.
  std::vector<double> hessian(const Directions& d) {
    using Eigen::Index;
    Shooting& s = *main_;
    std::vector<double> lambda;
    Eigen::MatrixXd T;
    if (!lagrangian(s, d, lambda, T)) return {};
    Index n = T.rows();
    const double* lower = s.hessian(1, lambda);
    if (!lower) return {};
    Eigen::MatrixXd H(n, n);
    for (Index r = 0, e = 0; r < n; ++r)
      for (Index c = 0; c <= r; ++c, ++e) H(r, c) = H(c, r) = lower[e];
    Eigen::MatrixXd reduced = T.transpose() * (H * T), symmetric = 0.5 * (reduced + reduced.transpose());
    return {symmetric.data(), symmetric.data() + symmetric.size()};
  }

  /// Can second derivatives be had in sensitivity form?
  bool sensitivity_form() {
    if (!second_) second_ = make(ShootingGradient::forward, false, false);
    return second_->objection().empty() && second_->has_second_sensitivities();
  }

  /// The same without an adjoint: the second-order sensitivity equations along all directions.
  std::vector<double> hessian_by_sensitivities(const Directions& d) {
    std::vector<double> lambda;
    Eigen::MatrixXd T, H;
    second_->want(wanted(d));
    if (!lagrangian(*second_, d, lambda, T) || !second_->hessian_along(1, lambda, T, H))
      return main_->trouble = second_->trouble, std::vector<double>{};
    return {H.data(), H.data() + H.size()};
  }

  bolza_problem& problem_;
  TranscribeOptions options_;
  GradientOptions gradient_;
  bool discrete_;
  std::unique_ptr<Shooting> main_, second_;  // second_: sensitivities on CVODES, made when asked for
  Eigen::MatrixXd probes_;                   // [n × probes]
};

}  // namespace

ReducedGradient reduced_gradient(bolza_problem& problem, const TranscribeOptions& options, const GradientOptions& gradient) {
  return Gradients(problem, options, gradient).run();
}

}  // namespace bolza::transcribe
