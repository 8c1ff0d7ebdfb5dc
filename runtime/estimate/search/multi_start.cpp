// SPDX-License-Identifier: Apache-2.0
#include "runtime/estimate/search/multi_start.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <mutex>

#include "base/clock.h"
#include "base/crew.h"
#include "base/processes.h"
#include "runtime/nlp/solve.h"

namespace bolza::estimate {
namespace {

constexpr double no_value = std::numeric_limits<double>::quiet_NaN();

/// One parameter with an open side: around its start, so wide that neither a half nor the double is rare.
Draw around(double start, double lower, double upper) { return {lower, upper, true, start, std::max(1.0, std::abs(start))}; }

/// One start: the point of the hypercube, or what is drawn in its place, and a fit from there.
SearchFit fit_from(FitObjective& objective, const std::vector<Draw>& draws, const SearchOptions& options, std::size_t index,
                   std::vector<double> point) {
  SearchFit fit;
  Clock::time_point begin = Clock::now();
  std::size_t before = objective.n_evaluations();
  Likelihood at;
  fit.index = index;
  fit.value = no_value;
  bool good = objective.evaluate(point, Order::value, at) && std::isfinite(at.value);
  while (!good && fit.redrawn < options.redraws) {
    point = redraw(draws, options.seed, index, ++fit.redrawn);
    good = objective.evaluate(point, Order::value, at) && std::isfinite(at.value);
  }
  fit.start = point;
  if (good) {
    LocalFit local = minimise(objective, objective.box(), point, options.engine, Order::value);
    fit.status = local.status;
    fit.message = local.message;
    fit.iterations = local.iterations;
    if (local.at.good && std::isfinite(local.at.value)) {
      fit.theta = local.theta;
      fit.value = value_at_own_noise(local.at);
    }
  } else {
    fit.status = nlp::Status::evaluation_error;
    fit.message = at.trouble.text.empty() ? "no start could be simulated" : at.trouble.text;
  }
  fit.evaluations = objective.n_evaluations() - before;
  fit.seconds = seconds_since(begin);
  return fit;
}

/// A start whose process did not live to tell.
SearchFit lost(std::size_t index, std::vector<double> point, const TaskOutcome& outcome) {
  SearchFit fit;
  fit.index = index;
  fit.start = std::move(point);
  fit.value = no_value;
  fit.seconds = outcome.seconds;
  fit.status = outcome.kind == TaskOutcome::Kind::timed_out ? nlp::Status::time_limit : nlp::Status::failed;
  fit.message = outcome.kind == TaskOutcome::Kind::timed_out ? outcome.text : "the process ended: " + outcome.text;
  return fit;
}

/// The search while it runs.
class Search {
 public:
  Search(FitObjective& objective, const std::vector<Draw>& draws, const SearchOptions& options, const MakeObjective& another)
      : objective_(objective),
        draws_(draws),
        options_(options),
        another_(another) {}

  SearchResult run() {
    points_ = latin_hypercube(draws_, options_.starts, options_.seed);
    SearchResult result;
    if (result.wrong = open_journal(); !result.wrong.empty()) return result;
    if (result.wrong = check_resumed(); !result.wrong.empty()) return result;
    std::size_t resumed = fits_.size();
    Likelihood unused;
    objective_.evaluate(objective_.box().start, Order::fisher, unused);  // what is compiled here, no process compiles again
    if (options_.progress && resumed > 0) tell();
    bool in_threads = options_.jobs == 0 && options_.threads > 1 && another_;
    bool whole = in_threads ? fit_in_threads() : fit_in_processes();
    result.interrupted = !whole;
    result.fits = std::move(fits_);
    result.resumed = resumed;
    result.wrong = std::move(trouble_);
    summarise(objective_.box(), options_.tolerance, options_.distance, result);
    return result;
  }

 private:
  bool fit_in_processes() {
    return run_in_processes(
        open_starts(), {.jobs = options_.jobs, .task_seconds = options_.start_seconds, .budget = options_.budget},
        [this](std::size_t index) { return line_of(fit_from(objective_, draws_, options_, index, points_[index])); },
        [this](std::size_t index, const TaskOutcome& outcome) { finished(index, outcome); });
  }

  bool fit_in_threads() {
    std::vector<std::size_t> open = open_starts();
    std::size_t threads = std::min(options_.threads, std::max<std::size_t>(open.size(), 1));
    std::vector<std::shared_ptr<FitObjective>> objectives(threads);
    for (std::size_t k = 1; k < threads; ++k) objectives[k] = another_();
    std::atomic<std::size_t> next = 0;
    std::mutex turn;
    in_crew(threads, [&](std::size_t thread) {
      FitObjective& own = thread == 0 ? objective_ : *objectives[thread];
      for (std::size_t k = next++; k < open.size() && !options_.budget.ended(); k = next++) {
        SearchFit fit = fit_from(own, draws_, options_, open[k], points_[open[k]]);
        std::lock_guard lock(turn);
        take(std::move(fit));
      }
    });
    return !options_.budget.ended();
  }

  std::string open_journal() {
    if (options_.journal.empty()) return {};
    SearchKey key{options_.name, options_.problem, options_.seed, options_.starts, options_.parameters};
    std::string wrong = journal_.open(options_.journal, key, fits_);
    return wrong.empty() ? wrong : "the journal `" + options_.journal + "` cannot be continued: " + wrong;
  }

  /// A journal is a file, which anybody may have written: what it calls an optimum has the value that it says. Cost: an
  /// evaluation for each of its fits.
  std::string check_resumed() {
    std::size_t n = objective_.box().start.size();
    for (const SearchFit& fit : fits_) {
      std::string wrong = "of start " + std::to_string(fit.index + 1) + " it has ";
      if (fit.start.size() != n || (fit.theta.size() != n && !fit.theta.empty())) wrong += "another number of parameters";
      else if (is_good(fit) && !has_its_value(fit)) wrong += "a value that the model does not give at its parameters";
      else continue;
      return "the journal `" + options_.journal + "` cannot be continued: " + wrong;
    }
    return {};
  }

  bool has_its_value(const SearchFit& fit) {
    constexpr double share = 1e-3;  // fits may have integrated with sensitivities, and so in other steps
    Likelihood at;
    double most = options_.tolerance + share * std::abs(fit.value);
    return objective_.evaluate(fit.theta, Order::value, at) && std::abs(value_at_own_noise(at) - fit.value) <= most;
  }

  std::vector<std::size_t> open_starts() const {
    std::vector<std::uint8_t> done(options_.starts, 0);
    for (const SearchFit& fit : fits_) done[fit.index] = 1;
    std::vector<std::size_t> open;
    for (std::size_t i = 0; i < options_.starts; ++i)
      if (!done[i]) open.push_back(i);
    return open;
  }

  void finished(std::size_t index, const TaskOutcome& outcome) {
    SearchFit fit;
    if (outcome.kind != TaskOutcome::Kind::done || !read_line(outcome.text, fit)) fit = lost(index, points_[index], outcome);
    take(std::move(fit));
  }

  void take(SearchFit fit) {
    if (fit.status == nlp::Status::interrupted) return;  // done again when the search goes on
    if (journal_.is_open() && trouble_.empty())
      if (std::string wrong = journal_.append(fit); !wrong.empty())
        trouble_ = "the journal `" + options_.journal + "` could not be written: " + wrong;
    fits_.push_back(std::move(fit));
    ++now_;
    if (options_.progress) tell();
  }

  void tell() const {
    SearchProgress p{.done = fits_.size(), .total = options_.starts, .best = no_value, .seconds = seconds_since(begin_)};
    for (const SearchFit& fit : fits_)
      if (is_good(fit) && !(fit.value >= p.best)) p.best = fit.value;
    for (const SearchFit& fit : fits_) {
      p.failed += !is_good(fit);
      p.hits += is_good(fit) && fit.value <= p.best + options_.tolerance;
    }
    p.seconds_left = now_ == 0 ? no_value : p.seconds / static_cast<double>(now_) * static_cast<double>(p.total - p.done);
    options_.progress(options_.progress_context, p);
  }

  FitObjective& objective_;
  const std::vector<Draw>& draws_;
  const SearchOptions& options_;
  const MakeObjective& another_;
  Journal journal_;
  std::vector<std::vector<double>> points_;
  std::vector<SearchFit> fits_;
  std::size_t now_ = 0;  // finished since `begin_`
  std::string trouble_;
  Clock::time_point begin_ = Clock::now();
};

bool same_place(const Box& box, const std::vector<double>& a, const std::vector<double>& b, double distance) {
  for (std::size_t k = 0; k < a.size(); ++k) {
    double range = box.upper[k] - box.lower[k];
    if (!std::isfinite(range)) range = box.scale(k, a[k], b[k]);
    if (std::abs(a[k] - b[k]) > distance * range) return false;
  }
  return true;
}

}  // namespace

std::vector<Draw> draws_of(const Box& box) {
  std::vector<Draw> draws;
  for (std::size_t k = 0; k < box.start.size(); ++k) {
    bool open = !std::isfinite(box.lower[k]) || !std::isfinite(box.upper[k]);
    draws.push_back(open ? around(box.start[k], box.lower[k], box.upper[k]) : Draw{box.lower[k], box.upper[k]});
  }
  return draws;
}

std::vector<Draw> draws_of(const Estimation& estimation) {
  Box box = box_of(estimation);
  std::vector<Draw> draws = draws_of(box);
  for (std::size_t k = 0; k < draws.size(); ++k) {
    const Parameter& parameter = estimation.parameters[k];
    const Prior& prior = parameter.prior;
    if (draws[k].normal && parameter.scale == Scale::lin && box.start[k] != 0) draws[k].deviation = std::abs(box.start[k]);
    bool scaled = prior.on_scale || parameter.scale == Scale::lin;
    bool of_logarithm = prior.kind == Prior::Kind::log_normal && parameter.scale != Scale::lin;
    double unit = of_logarithm && parameter.scale == Scale::log10 ? std::log(10.0) : 1;
    if (of_logarithm || (prior.kind == Prior::Kind::normal && scaled))
      draws[k] = {box.lower[k], box.upper[k], true, prior.location / unit, prior.width / unit};
    if (prior.kind == Prior::Kind::uniform && scaled)
      draws[k] = {std::max(box.lower[k], prior.location), std::min(box.upper[k], prior.width)};
  }
  return draws;
}

void summarise(const Box& box, double tolerance, double distance, SearchResult& result) {
  std::vector<SearchFit>& fits = result.fits;
  std::sort(fits.begin(), fits.end(), [](const SearchFit& a, const SearchFit& b) {
    if (is_good(a) != is_good(b)) return is_good(a);
    if (is_good(a) && a.value != b.value) return a.value < b.value;
    return a.index < b.index;
  });
  result.good = static_cast<std::size_t>(std::count_if(fits.begin(), fits.end(), is_good));
  result.optima.clear();
  result.hits = result.redrawn = 0;
  result.seconds = 0;
  for (std::size_t i = 0; i < fits.size(); ++i) {
    result.seconds += fits[i].seconds;
    result.redrawn += fits[i].redrawn;
    if (i >= result.good) continue;
    result.hits += fits[i].value <= fits[0].value + tolerance;
    auto known = std::find_if(result.optima.begin(), result.optima.end(), [&](const Optimum& o) {
      return fits[i].value - fits[o.fit].value <= tolerance && same_place(box, fits[i].theta, fits[o.fit].theta, distance);
    });
    if (known == result.optima.end()) result.optima.push_back({i, 1});
    else ++known->starts;
  }
  result.share = fits.empty() ? 0 : static_cast<double>(result.hits) / static_cast<double>(fits.size());
  result.seconds_per_hit =
      result.hits ? result.seconds / static_cast<double>(result.hits) : std::numeric_limits<double>::infinity();
}

SearchResult multi_start(FitObjective& objective, const std::vector<Draw>& draws, const SearchOptions& options,
                         const MakeObjective& another) {
  return Search(objective, draws, options, another).run();
}

}  // namespace bolza::estimate
