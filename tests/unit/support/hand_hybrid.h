// SPDX-License-Identifier: Apache-2.0
// Models with events written in C++: M derives from NoEvents<shared entries> and replaces what it has. M::np counts all
// shared entries, the first M::n_free of which are startTime, finalTime and parameters.
#pragma once
#include "tests/unit/support/hand_model.h"

namespace bolza::testing {

struct NoEvents : NoFunctions {
  static constexpr std::size_t nm = 0, n_indicators = 0, n_reinits = 0, n_initial_updates = 0, n_conditions = 0,
                               n_delays = 0;
  template <class T>
  static void update(const T*, const T*, T*) {}
  template <class T>
  static void indicators(const T*, const T*, T*) {}
  template <class T>
  static void reinit(const T*, const T*, T*) {}
  template <class T>
  static void initial_update(const T*, const T*, T*) {}
  template <class T>
  static void conditions(const T*, const T*, T*) {}
  template <class T>
  static void delays(const T*, const T*, T*) {}
};

struct Update {
  template <class M, class T>
  static void call(const T* w, const T* p, T* r) {
    M::update(w, p, r);
  }
};
struct Indicating {
  template <class M, class T>
  static void call(const T* w, const T* p, T* r) {
    M::indicators(w, p, r);
  }
};
struct Reinit {
  template <class M, class T>
  static void call(const T* w, const T* p, T* r) {
    M::reinit(w, p, r);
  }
};
struct InitialUpdate {
  template <class M, class T>
  static void call(const T* w, const T* p, T* r) {
    M::initial_update(w, p, r);
  }
};
struct Conditions {
  template <class M, class T>
  static void call(const T* w, const T* p, T* r) {
    M::conditions(w, p, r);
  }
};
struct Delays {
  template <class M, class T>
  static void call(const T* w, const T* p, T* r) {
    M::delays(w, p, r);
  }
};

/// The value of a number or of a dual number, for relations.
inline double value_of(double x) { return x; }
template <std::size_t N>
double value_of(const Dual<N>& x) {
  return x.v;
}

template <class M>
struct HandHybrid : HandProblem<M> {
  using Base = HandProblem<M>;
  HandFunction<M, Update, Base::nw, M::nm> update{"update"};
  HandFunction<M, Indicating, Base::nw, M::n_indicators> indicators{"indicators"};
  HandFunction<M, Reinit, Base::nw, 2 * M::n_reinits> reinit{"reinit"};
  HandFunction<M, InitialUpdate, Base::nw, M::n_initial_updates> initial_update{"initial_update"};
  HandFunction<M, Conditions, Base::nw, M::n_conditions> conditions{"conditions"};
  HandFunction<M, Delays, Base::nw, 3 * M::n_delays> delays{"delays"};
  std::vector<bolza_discrete> discrete;
  std::vector<bolza_previous> previous;
  std::vector<bolza_sample> samples;
  std::vector<bolza_message> assertions, terminations;
  std::vector<std::int32_t> reinit_state, initial_target;
  std::int32_t initial_flag = -1, terminal_flag = -1, homotopy = -1;
  bolza_hybrid hybrid{};

  /// Adds a discrete variable with entries of shared; `indicator` >= 0 makes it a relation.
  bolza_discrete& add(const char* name, std::int32_t now, std::int32_t before, double start = 0) {
    bolza_discrete d{};
    d.variable = Base::parameters[0];
    d.variable.name = name, d.variable.start = start;
    d.variable.source = {"hand.mop", static_cast<std::int32_t>(100 + discrete.size()), 5};
    d.now = now, d.before = before, d.indicator = -1, d.type = 2;
    discrete.push_back(d);
    return discrete.back();
  }
  void relation(const char* name, std::int32_t now, std::int32_t before, std::int32_t indicator, bool positive_is_true,
                bool closed, bool time_only = false) {
    bolza_discrete& d = add(name, now, before);
    d.role = BOLZA_DISCRETE_RELATION, d.indicator = indicator;
    d.positive_is_true = positive_is_true, d.closed = closed, d.time_only = time_only;
  }

  bolza_problem& build() {
    bolza_problem& out = Base::build();
    hybrid = {.n_m = M::nm,
              .n_previous = previous.size(),
              .n_samples = samples.size(),
              .n_delays = M::n_delays,
              .n_reinits = M::n_reinits,
              .n_assertions = assertions.size(),
              .n_terminations = terminations.size(),
              .n_initial_updates = M::n_initial_updates,
              .n_indicators = M::n_indicators,
              .discrete = discrete.data(),
              .previous = previous.data(),
              .samples = samples.data(),
              .initial = initial_flag,
              .terminal = terminal_flag,
              .homotopy = homotopy,
              .update = M::nm ? &update.function : nullptr,
              .indicators = M::n_indicators ? &indicators.function : nullptr,
              .reinit = M::n_reinits ? &reinit.function : nullptr,
              .reinit_state = reinit_state.data(),
              .initial_update = M::n_initial_updates ? &initial_update.function : nullptr,
              .initial_target = initial_target.data(),
              .conditions = M::n_conditions ? &conditions.function : nullptr,
              .assertions = assertions.data(),
              .terminations = terminations.data(),
              .delays = M::n_delays ? &delays.function : nullptr};
    Base::model.hybrid = &hybrid;
    Base::model.n_global = M::n_free;
    out.n_parameters = M::n_free;
    return out;
  }
};

}  // namespace bolza::testing
