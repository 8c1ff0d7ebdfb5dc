// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>

#include "runtime/integrate/method_table.h"
#include "runtime/integrate/simulate/simulate.h"
#include "tests/unit/support/hand_hybrid.h"

namespace bolza::integrate {
namespace {

using bolza::testing::HandHybrid;
using bolza::testing::NoEvents;
using bolza::testing::value_of;

// Times of events: those that stand twice.
std::vector<double> event_times(const abi::Trajectories& t) {
  std::vector<double> out;
  for (std::size_t k = 1; k < t.time.size(); ++k)
    if (t.time[k] == t.time[k - 1]) out.push_back(t.time[k]);
  return out;
}

class EveryMethod : public ::testing::TestWithParam<std::string> {
 protected:
  SimulateOptions with(double rtol, std::size_t intervals = 10) const {
    const Method* m = find_method(GetParam());
    SimulateOptions o{.method = GetParam(), .rtol = rtol, .intervals = intervals};
    if (!m->automatic || m->order_high < 2) o.method_options.fixed_step = 1e-3;
    return o;
  }
  double loose() const {  // steps of a thousandth: (1e-3)^order against what error control keeps
    int order = find_method(GetParam())->order_high;
    return order < 2 ? 1e4 : order == 2 ? 10 : 1;
  }
};
std::vector<std::string> names(bool algebraics) {
  std::vector<std::string> out;
  for (const Method* m : methods())
    if ((!algebraics || m->algebraics) && !m->objection) out.emplace_back(m->name);  // hand models have no recurrences
  return out;
}
std::string label(const ::testing::TestParamInfo<std::string>& info) { return info.param; }

struct Ball : NoEvents {  // h' = v, v' = -g; when h <= 0 then reinit(v, -e pre(v))
  static constexpr std::size_t nx = 2, np = 6, n_free = 3, nm = 1, n_indicators = 1,
                               n_reinits = 1;  // t0 tf e | r pre(r) pre(v)
  template <class T>
  static void rates(const T* w, const T*, T* r) {
    r[0] = w[2], r[1] = T(-9.81);
  }
  template <class T>
  static void update(const T* w, const T*, T* r) {
    r[0] = T(value_of(w[1]) <= 0);
  }
  template <class T>
  static void indicators(const T* w, const T*, T* r) {
    r[0] = w[1];
  }
  template <class T>
  static void reinit(const T*, const T* p, T* r) {
    r[0] = T(value_of(p[3]) > 0.5 && value_of(p[4]) < 0.5), r[1] = -p[2] * p[5];
  }
};
void set_ball(HandHybrid<Ball>& hand, double tf, double e) {
  hand.horizon(0, tf), hand.parameter(2, e);
  hand.x[0].start = 1;
  hand.relation("h <= 0", 3, 4, 0, false, true);
  hand.previous = {{2, 5}};
  hand.reinit_state = {1};
}

TEST_P(EveryMethod, finds_the_bounces_of_a_ball) {
  HandHybrid<Ball> hand;
  set_ball(hand, 2, 0.8);
  Simulation s = simulate(hand.build(), 0, with(1e-8));
  ASSERT_TRUE(s.report.finished()) << s.report.message;
  const abi::Trajectories& t = s.trajectories;
  double first = std::sqrt(2 / 9.81), at = first, interval = 2 * first * 0.8;
  std::size_t bounce = 0;
  ASSERT_EQ(t.discrete.size(), 1u);
  for (std::size_t k = 1; k < t.time.size(); ++k) {
    if (t.time[k] != t.time[k - 1] || t.x[1][k] == t.x[1][k - 1]) continue;  // contact only, not its end
    EXPECT_NEAR(t.time[k], at, 1e-6 * loose()) << "bounce " << bounce;
    EXPECT_NEAR(t.x[1][k], -0.8 * t.x[1][k - 1], 1e-12) << "pre(v) is the speed before";
    EXPECT_EQ(t.discrete[0][k - 1], 0);
    EXPECT_EQ(t.discrete[0][k], 1);
    at += interval, interval *= 0.8, ++bounce;
  }
  EXPECT_EQ(bounce, 3u) << "0.45, 1.17, 1.75, 2.21 s";
}

struct StickSlip : NoEvents {  // a force a t pulls a body: it slides against fc, sticks when it stops, breaks loose at fs
  // t0 tf a fc fs | r1: v <= 0, pre; r2: a t > fs, pre; sliding, pre
  static constexpr std::size_t nx = 1, np = 11, n_free = 5, nm = 3, n_indicators = 2;
  template <class T>
  static void rates(const T* w, const T* p, T* r) {
    r[0] = value_of(p[9]) > 0.5 ? p[2] * w[0] - p[3] : T(0);
  }
  template <class T>
  static void update(const T* w, const T* p, T* r) {
    r[0] = T(value_of(w[1]) <= 0), r[1] = T(value_of(p[2]) * value_of(w[0]) > value_of(p[4]));
    bool stops = value_of(p[5]) > 0.5 && value_of(p[6]) < 0.5, breaks = value_of(p[7]) > 0.5 && value_of(p[8]) < 0.5;
    r[2] = T(value_of(p[10]) > 0.5 ? !stops : breaks);
  }
  template <class T>
  static void indicators(const T* w, const T* p, T* r) {
    r[0] = w[1], r[1] = p[2] * w[0] - p[4];
  }
};

TEST_P(EveryMethod, sticks_and_slips_at_the_times_of_the_closed_form) {
  HandHybrid<StickSlip> hand;
  hand.horizon(0, 10), hand.parameter(2, 0.2), hand.parameter(3, 1), hand.parameter(4, 1.5);
  hand.x[0].start = 1;
  hand.relation("v <= 0", 5, 6, 0, false, true);
  hand.relation("a*time > fs", 7, 8, 1, true, false, true);
  hand.add("sliding", 9, 10, 1);
  Simulation s = simulate(hand.build(), 0, with(1e-8));
  ASSERT_TRUE(s.report.finished()) << s.report.message;
  std::vector<double> times = event_times(s.trajectories);
  ASSERT_EQ(times.size(), 3u) << "stops, breaks loose, moves: no chattering";
  EXPECT_NEAR(times[0], (1 - std::sqrt(0.6)) / 0.2, 1e-7 * loose());
  EXPECT_DOUBLE_EQ(times[1], 7.5) << "a relation of time alone is located exactly";
  EXPECT_NEAR(s.trajectories.x[0].back(), 1.875, 2e-7 * loose());
}

struct Thermostat : NoEvents {  // x' = -x + 2 on: off at 1.2, on at 0.8; as an algebraic z = 2 on
  // t0 tf | r1: x > 1.2, pre; r2: x < 0.8, pre; on, pre
  static constexpr std::size_t nx = 1, nz = 1, np = 8, n_free = 2, nm = 3, n_indicators = 2;
  template <class T>
  static void rates(const T* w, const T*, T* r) {
    r[0] = w[2] - w[1];
  }
  template <class T>
  static void residuals(const T* w, const T* p, T* r) {
    r[0] = w[2] - T(2) * p[6];
  }
  template <class T>
  static void update(const T* w, const T* p, T* r) {
    r[0] = T(value_of(w[1]) > 1.2), r[1] = T(value_of(w[1]) < 0.8);
    r[2] = T(value_of(p[2]) > 0.5 ? 0 : value_of(p[4]) > 0.5 ? 1 : value_of(p[7]));
  }
  template <class T>
  static void indicators(const T* w, const T*, T* r) {
    r[0] = w[1] - T(1.2), r[1] = w[1] - T(0.8);
  }
};

class EveryDaeMethod : public EveryMethod {};
TEST_P(EveryDaeMethod, switches_a_thermostat_and_keeps_algebraics_consistent) {
  HandHybrid<Thermostat> hand;
  hand.horizon(0, 3);
  hand.relation("x > 1.2", 2, 3, 0, true, false);
  hand.relation("x < 0.8", 4, 5, 1, false, false);
  hand.add("on", 6, 7);
  Simulation s = simulate(hand.build(), 0, with(1e-9));
  ASSERT_TRUE(s.report.finished()) << s.report.message;
  const abi::Trajectories& t = s.trajectories;
  std::vector<double> off, on;
  for (std::size_t k = 1; k < t.time.size(); ++k) {
    if (t.time[k] != t.time[k - 1]) continue;
    if (t.discrete[2][k] < t.discrete[2][k - 1]) off.push_back(t.time[k]);
    if (t.discrete[2][k] > t.discrete[2][k - 1]) on.push_back(t.time[k]);
    EXPECT_NEAR(t.z[0][k], 2 * t.discrete[2][k], 1e-12);
  }
  double rise = std::log(2 / 0.8), fall = std::log(1.2 / 0.8), again = std::log(1.2 / 0.8);
  ASSERT_GE(off.size(), 2u);
  EXPECT_NEAR(off[0], rise, 1e-7 * loose());
  EXPECT_NEAR(on[0], rise + fall, 1e-7 * loose());
  EXPECT_NEAR(off[1], rise + fall + again, 1e-7 * loose());
}

struct Sampled : NoEvents {                                         // when sample(0, 0.1) then u = -k x; x' = u
  static constexpr std::size_t nx = 1, np = 8, n_free = 3, nm = 2;  // t0 tf k | tick, s, pre(s), u, pre(u)
  template <class T>
  static void rates(const T*, const T* p, T* r) {
    r[0] = p[6];
  }
  template <class T>
  static void update(const T* w, const T* p, T* r) {
    r[0] = p[3];
    r[1] = value_of(p[4]) > 0.5 && value_of(p[5]) < 0.5 ? -p[2] * w[1] : p[7];
  }
};

TEST_P(EveryMethod, samples_at_every_tick_and_holds_between) {
  HandHybrid<Sampled> hand;
  hand.horizon(0, 1), hand.parameter(2, 3);
  hand.x[0].start = 1;
  hand.add("s", 4, 5), hand.add("u", 6, 7);
  hand.samples = {{3, 0, 0.1, {"hand.mop", 7, 3}}};
  Simulation s = simulate(hand.build(), 0, with(1e-8));
  ASSERT_TRUE(s.report.finished()) << s.report.message;
  EXPECT_EQ(s.report.time_events, 11u);
  EXPECT_NEAR(s.trajectories.x[0].back(), std::pow(0.7, 10), 1e-9);
}

struct Delayed : NoEvents {  // x' = -x(t - 1)
  static constexpr std::size_t nx = 1, nu = 1, np = 2, n_free = 2, n_delays = 1;
  template <class T>
  static void rates(const T* w, const T*, T* r) {
    r[0] = -w[2];
  }
  template <class T>
  static void delays(const T* w, const T*, T* r) {
    r[0] = w[1], r[1] = T(1), r[2] = T(1);
  }
};

TEST_P(EveryMethod, follows_a_delay_equation_by_its_closed_form) {
  HandHybrid<Delayed> hand;
  hand.horizon(0, 5), hand.x[0].start = 1;
  Simulation s = simulate(hand.build(), 0, with(1e-8));
  ASSERT_TRUE(s.report.finished()) << s.report.message;
  const abi::Trajectories& t = s.trajectories;
  for (std::size_t i = 0; i < t.time.size(); ++i) {  // method of steps: sum over k of (-1)^k (t - k + 1)^k / k!
    double x = 0, factorial = 1;
    for (int k = 0; k <= static_cast<int>(std::floor(t.time[i] + 1e-12)) + 1; ++k) {
      x += (k % 2 ? -1 : 1) * std::pow(std::max(0.0, t.time[i] - k + 1), k) / factorial;
      factorial *= k + 1;
    }
    EXPECT_NEAR(t.x[0][i], x, 3e-7 * loose()) << "at " << t.time[i];
  }
}

struct Shrinking
    : NoEvents {  // x' = x(t - d) with d = 1/(1 + t): a delay that changes; x(t) is compared with small fixed steps
  static constexpr std::size_t nx = 2, nu = 1, np = 2, n_free = 2, n_delays = 1;
  template <class T>
  static void rates(const T* w, const T*, T* r) {
    r[0] = w[3], r[1] = T(2) * w[0];
  }
  template <class T>
  static void delays(const T* w, const T*, T* r) {
    r[0] = w[2], r[1] = T(0.5) * w[0], r[2] = T(10);  // y = t²; its value t/2 ago is t²/4: x = t³/12
  }
};

TEST_P(EveryMethod, follows_a_delay_that_changes) {
  HandHybrid<Shrinking> hand;
  hand.horizon(0, 4);
  Simulation s = simulate(hand.build(), 0, with(1e-8));
  ASSERT_TRUE(s.report.finished()) << s.report.message;
  EXPECT_NEAR(s.trajectories.x[0].back(), 64.0 / 12, 1e-5 * loose());
}

struct DelayedStep : NoEvents {  // m jumps at 0.3; x' = m(t - 0.5)
  static constexpr std::size_t nx = 1, nu = 1, np = 4, n_free = 2, n_delays = 1, nm = 1, n_indicators = 1;
  template <class T>
  static void rates(const T* w, const T*, T* r) {
    r[0] = w[2];
  }
  template <class T>
  static void update(const T* w, const T*, T* r) {
    r[0] = T(value_of(w[0]) >= 0.3);
  }
  template <class T>
  static void indicators(const T* w, const T*, T* r) {
    r[0] = w[0] - T(0.3);
  }
  template <class T>
  static void delays(const T*, const T* p, T* r) {
    r[0] = p[2], r[1] = T(0.5), r[2] = T(0.5);
  }
};

TEST_P(EveryMethod, meets_a_jump_again_after_the_delay) {
  HandHybrid<DelayedStep> hand;
  hand.horizon(0, 1);
  hand.relation("time >= 0.3", 2, 3, 0, true, true, true);
  Simulation s = simulate(hand.build(), 0, with(1e-6));
  ASSERT_TRUE(s.report.finished()) << s.report.message;
  EXPECT_NEAR(s.trajectories.x[0].back(), 0.2, 1e-12) << "steps end at the jump, so nothing is smeared";
  EXPECT_EQ(event_times(s.trajectories), (std::vector<double>{0.3, 0.8}));
}

INSTANTIATE_TEST_SUITE_P(Events, EveryMethod, ::testing::ValuesIn(names(false)), label);
INSTANTIATE_TEST_SUITE_P(Events, EveryDaeMethod, ::testing::ValuesIn(names(true)), label);

struct Flip : NoEvents {  // when time >= 0.5: m1 = not pre(m2), m2 = pre(m1): no fixed point
  static constexpr std::size_t nx = 1, np = 8, n_free = 2, nm = 3, n_indicators = 1;  // r pre, m1 pre, m2 pre
  template <class T>
  static void rates(const T*, const T*, T* r) {
    r[0] = T(1);
  }
  template <class T>
  static void update(const T* w, const T* p, T* r) {
    r[0] = T(value_of(w[0]) >= 0.5);
    r[1] = value_of(p[2]) > 0.5 ? T(1) - p[7] : p[5];
    r[2] = p[5];
  }
  template <class T>
  static void indicators(const T* w, const T*, T* r) {
    r[0] = w[0] - T(0.5);
  }
};

TEST(Events, names_the_variables_of_an_iteration_without_end) {
  HandHybrid<Flip> hand;
  hand.horizon(0, 1);
  hand.relation("time >= 0.5", 2, 3, 0, true, true, true);
  hand.add("m1", 4, 5), hand.add("m2", 6, 7);
  Simulation s = simulate(hand.build(), 0, {});
  EXPECT_EQ(s.report.status, SimulateStatus::event_iteration);
  EXPECT_NE(s.report.message.find("`m1`, `m2`"), std::string::npos) << s.report.message;
  EXPECT_EQ(s.report.time, 0.5);
  EXPECT_EQ(s.report.finding.line, 101);
  EXPECT_EQ(s.trajectories.time.back(), 0.5) << "what was reached is kept";
}

struct Relay : NoEvents {  // x' = if x > 0 then -1 else 1
  static constexpr std::size_t nx = 1, np = 3, n_free = 2, nm = 1, n_indicators = 1;
  template <class T>
  static void rates(const T*, const T* p, T* r) {
    r[0] = T(1) - T(2) * p[2];
  }
  template <class T>
  static void update(const T* w, const T*, T* r) {
    r[0] = T(value_of(w[1]) > 0);
  }
  template <class T>
  static void indicators(const T* w, const T*, T* r) {
    r[0] = w[1];
  }
};

TEST(Events, stops_at_chattering_and_names_the_relation) {
  HandHybrid<Relay> hand;
  hand.horizon(0, 2), hand.x[0].start = 1;
  hand.relation("x > 0", 2, -1, 0, true, false);
  Simulation s = simulate(hand.build(), 0, {});
  EXPECT_EQ(s.report.status, SimulateStatus::chattering);
  EXPECT_NEAR(s.report.time, 1, 1e-4);
  EXPECT_EQ(s.report.finding.name, "x > 0");
  EXPECT_LT(s.report.steps, 20000u);
}

TEST(Events, warns_where_the_events_of_a_ball_accumulate) {
  HandHybrid<Ball> hand;
  set_ball(hand, 3, 0.5);
  Simulation s = simulate(hand.build(), 0, {.rtol = 1e-9});
  ASSERT_EQ(s.report.warnings.size(), 1u) << s.report.message;
  EXPECT_EQ(s.report.warnings[0].name, "h <= 0");
  double limit = std::sqrt(2 / 9.81) * (1 + 2 * 0.5 / 0.5);  // t1 + 2 t1 (e + e² + …)
  EXPECT_NE(s.report.warnings[0].text.find("t = 1.355 s"), std::string::npos)
      << s.report.warnings[0].text << limit << " rounded to four digits";
}

struct Messages : NoEvents {  // x' = 1; assert(x < 0.5) warning, assert(x < p) error, terminate at x >= q
  static constexpr std::size_t nx = 1, np = 4, n_free = 4, n_conditions = 4;
  template <class T>
  static void rates(const T*, const T*, T* r) {
    r[0] = T(1);
  }
  template <class T>
  static void conditions(const T* w, const T* p, T* r) {
    r[0] = T(value_of(w[1]) < 0.5), r[1] = T(value_of(w[1]) < value_of(p[2])), r[2] = T(value_of(w[1]) >= value_of(p[3])),
    r[3] = w[1];
  }
};
void set_messages(HandHybrid<Messages>& hand, double error_at, double end_at) {
  hand.horizon(0, 2), hand.parameter(2, error_at), hand.parameter(3, end_at);
  hand.assertions = {{"x is {0}", {"hand.mop", 21, 3}, 1, 1, 0}, {"too large: {0} m", {"hand.mop", 22, 3}, 0, 1, 0}};
  hand.terminations = {{"arrived", {"hand.mop", 23, 3}, 0, 0, 0}};
}

TEST(Events, an_assertion_stops_with_its_message_and_a_warning_is_kept_once) {
  HandHybrid<Messages> hand;
  set_messages(hand, 1, 9);
  Simulation s = simulate(hand.build(), 0, {.rtol = 1e-3, .intervals = 100, .method_options = {.max_step = 0.125}});
  EXPECT_EQ(s.report.status, SimulateStatus::assertion);
  EXPECT_NE(s.report.message.find("too large: 1"), std::string::npos) << s.report.message;
  EXPECT_EQ(s.report.finding.line, 22);
  ASSERT_EQ(s.report.warnings.size(), 1u);
  EXPECT_EQ(s.report.warnings[0].text.substr(0, 6), "x is 0");
  EXPECT_EQ(s.report.warnings[0].line, 21);
}

TEST(Events, terminate_ends_the_run_well) {
  HandHybrid<Messages> hand;
  set_messages(hand, 9, 1);
  Simulation s = simulate(hand.build(), 0, {.rtol = 1e-3, .method_options = {.max_step = 0.125}});
  EXPECT_TRUE(s.report.finished());
  EXPECT_EQ(s.report.termination.text, "arrived");
  EXPECT_LT(s.report.time, 1.2);
  EXPECT_EQ(s.trajectories.time.back(), s.report.time);
}

struct Counter : NoEvents {  // no states: n counts ticks, z = n + time, last := n when terminal()
  static constexpr std::size_t nx = 0, nz = 1, np = 10, n_free = 2, nm = 3, n_initial_updates = 1;
  // t0 tf | tick, s, pre(s), n, pre(n), terminal, last, pre(last)
  template <class T>
  static void residuals(const T* w, const T* p, T* r) {
    r[0] = w[1] - p[5] - w[0];
  }
  template <class T>
  static void update(const T*, const T* p, T* r) {
    r[0] = p[2];
    r[1] = value_of(p[3]) > 0.5 && value_of(p[4]) < 0.5 ? p[6] + T(1) : p[6];
    r[2] = value_of(p[7]) > 0.5 ? p[5] : p[9];
  }
  template <class T>
  static void initial_update(const T*, const T*, T* r) {
    r[0] = T(10);
  }
};

TEST(Events, run_without_states_from_initial_values_to_the_terminal_event) {
  HandHybrid<Counter> hand;
  hand.horizon(0, 1);
  hand.add("s", 3, 4), hand.add("n", 5, 6), hand.add("last", 8, 9);
  hand.samples = {{2, 0.05, 0.25, {"hand.mop", 7, 3}}};
  hand.initial_target = {6};  // initial equation pre(n) = 10
  hand.terminal_flag = 7;
  Simulation s = simulate(hand.build(), 0, {.intervals = 4});
  ASSERT_TRUE(s.report.finished()) << s.report.message;
  const abi::Trajectories& t = s.trajectories;
  EXPECT_EQ(event_times(t), (std::vector<double>{0.05, 0.3, 0.05 + 2 * 0.25, 0.05 + 3 * 0.25, 1}));
  EXPECT_EQ(t.discrete[1].front(), 10);
  EXPECT_EQ(t.discrete[1].back(), 14);
  EXPECT_EQ(t.discrete[2][t.time.size() - 2], 0);
  EXPECT_EQ(t.discrete[2].back(), 14);
  EXPECT_NEAR(t.z[0].back(), 15, 1e-12);
}

}  // namespace
}  // namespace bolza::integrate
