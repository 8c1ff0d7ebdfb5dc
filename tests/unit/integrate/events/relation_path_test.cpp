// SPDX-License-Identifier: Apache-2.0
// Paths through relations: closed forms of diodes and friction, paths that turn back, and paths that never end.
#include "runtime/integrate/events/relation_path.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/unit/support/hand_hybrid.h"

namespace bolza::integrate {
namespace {

using bolza::testing::HandHybrid;
using bolza::testing::NoEvents;
using bolza::testing::value_of;

/// A model of n relations off_k: indicator_k < 0, remembered in shared entries 2 …, with its path.
template <class M>
struct Followed {
  HandHybrid<M> hand;
  std::vector<double> x{0}, z, u;

  Followed(std::vector<double> start, std::vector<double> inputs) : z(std::move(start)), u(std::move(inputs)) {
    hand.horizon(0, 1);
    for (std::size_t k = 0; k < M::nm; ++k) {
      auto entry = static_cast<std::int32_t>(2 + k);
      hand.relation("off", entry, -1, static_cast<std::int32_t>(k), false, false);
    }
  }
  /// @param off  the relations as remembered where the path begins
  bool follow(const std::vector<double>& off) {
    hand.build();
    model = std::make_unique<nonlinear::ModelAt>(hand.problem, hand.model, hand.shared);
    for (std::size_t k = 0; k < off.size(); ++k) model->shared[2 + k] = off[k];
    VariableSizes sizes(*model, {});
    Indicators indicators(*model, 1e-6, sizes);
    RelationPath path(*model, indicators);
    return path.follow(0, x, u, z, [&] { return ++propagated, true; });
  }
  bool off(std::size_t k) const { return model->shared[2 + k] > 0.5; }
  /// Largest residual, and whether every relation is what its indicator says.
  double residual() {
    std::vector<double> h(M::nz);
    model->value(nonlinear::ModelAt::Part::residuals, {0, x.data(), z.data(), u.data()}, h);
    double largest = 0;
    for (double r : h) largest = std::max(largest, std::fabs(r));
    return largest;
  }
  bool agrees() {
    std::vector<double> g(M::n_indicators);
    model->value(nonlinear::ModelAt::Part::indicators, {0, x.data(), z.data(), u.data()}, g);
    for (std::size_t k = 0; k < M::nm; ++k)
      if (off(k) != (g[k] < 0)) return false;
    return true;
  }
  std::unique_ptr<nonlinear::ModelAt> model;
  int propagated = 0;
};

/// A voltage u over a resistor of 2 and a diode with v = s, i = s·Goff when off, v = s·Ron, i = s when on.
constexpr double Ron = 1e-5, Goff = 1e-5;
struct OneDiode : NoEvents {
  static constexpr std::size_t nx = 1, nz = 1, nu = 1, np = 3, n_free = 2, nm = 1, n_indicators = 1;
  template <class T>
  static void rates(const T*, const T*, T* r) {
    r[0] = T(0);
  }
  template <class T>
  static void residuals(const T* w, const T* p, T* r) {
    bool off = value_of(p[2]) > 0.5;
    r[0] = w[3] - T(2) * (off ? w[2] * T(Goff) : w[2]) - (off ? w[2] : w[2] * T(Ron));
  }
  template <class T>
  static void update(const T* w, const T*, T* r) {
    r[0] = T(value_of(w[2]) < 0);
  }
  template <class T>
  static void indicators(const T* w, const T*, T* r) {
    r[0] = w[2];
  }
};

TEST(RelationPath, switches_a_diode_off_and_on) {
  Followed<OneDiode> falls({5}, {-4});  // was conducting 5 A, the voltage is -4 now
  ASSERT_TRUE(falls.follow({0}));
  EXPECT_TRUE(falls.off(0));
  EXPECT_NEAR(falls.z[0], -4 / (1 + 2 * Goff), 1e-12);
  Followed<OneDiode> rises({-4}, {6});
  ASSERT_TRUE(rises.follow({1}));
  EXPECT_FALSE(rises.off(0));
  EXPECT_NEAR(rises.z[0], 6 / (2 + Ron), 1e-12);
  EXPECT_GE(rises.propagated, 2) << "at the begin and after the change";
}

TEST(RelationPath, corrects_a_relation_that_is_wrong_where_it_begins) {
  Followed<OneDiode> path({3}, {6});
  ASSERT_TRUE(path.follow({1}));  // remembered as off with s = 3
  EXPECT_FALSE(path.off(0));
  EXPECT_NEAR(path.z[0], 6 / (2 + Ron), 1e-12);
}

/// Graetz' bridge: a source u with 1 Ω, four diodes, a load of 10 Ω. z: s1 … s4, potentials a, b of the alternating and p, n
/// of the direct side; n is held at zero.
struct Bridge : NoEvents {
  static constexpr std::size_t nx = 1, nz = 7, nu = 1, np = 6, n_free = 2, nm = 4, n_indicators = 4;
  template <class T>
  static void rates(const T*, const T*, T* r) {
    r[0] = T(0);
  }
  template <class T>
  static void residuals(const T* w, const T* m, T* r) {
    T v[4], i[4];
    for (int k = 0; k < 4; ++k) {
      bool off = value_of(m[2 + k]) > 0.5;
      v[k] = off ? w[2 + k] : w[2 + k] * T(Ron), i[k] = off ? w[2 + k] * T(Goff) : w[2 + k];
    }
    T a = w[6], b = w[7], p = w[8], u = w[9], source = u - (a - b);  // over the inner resistor of 1 Ω: the current
    r[0] = a - p - v[0], r[1] = b - p - v[1], r[2] = T(0) - a - v[2], r[3] = T(0) - b - v[3];
    r[4] = source - i[0] + i[2], r[5] = T(0) - source - i[1] + i[3], r[6] = i[0] + i[1] - p / T(10);
  }
  template <class T>
  static void update(const T* w, const T*, T* r) {
    for (int k = 0; k < 4; ++k) r[k] = T(value_of(w[2 + k]) < 0);
  }
  template <class T>
  static void indicators(const T* w, const T*, T* r) {
    for (int k = 0; k < 4; ++k) r[k] = w[2 + k];
  }
};

TEST(RelationPath, commutates_a_bridge_of_four_diodes) {
  Followed<Bridge> start({0, 0, 0, 0, 0, 0, 0}, {12});
  ASSERT_TRUE(start.follow({0, 0, 0, 0}));
  EXPECT_LT(start.residual(), 1e-11);
  EXPECT_TRUE(start.agrees());
  EXPECT_NEAR(start.z[6], 12.0 * 10 / 11, 3e-4) << "p, but for Ron and Goff";
  Followed<Bridge> turned(start.z, {-12});  // all four change
  ASSERT_TRUE(turned.follow({0, 1, 1, 0}));
  EXPECT_LT(turned.residual(), 1e-11);
  EXPECT_TRUE(turned.agrees());
  EXPECT_EQ((std::vector<bool>{turned.off(0), turned.off(1), turned.off(2), turned.off(3)}),
            (std::vector<bool>{true, false, false, true}));
  EXPECT_NEAR(turned.z[6], start.z[6], 1e-12) << "a bridge is symmetric";
}

/// Dry friction of 10 N under a force u on 2 kg: with s along the characteristic, forward for s > 10, backward for s < −10,
/// and the friction force s in between. Relations: s < 10, s < −10.
struct Friction : NoEvents {
  static constexpr std::size_t nx = 1, nz = 2, nu = 1, np = 4, n_free = 2, nm = 2, n_indicators = 2;
  template <class T>
  static void rates(const T*, const T*, T* r) {
    r[0] = T(0);
  }
  template <class T>
  static void residuals(const T* w, const T* m, T* r) {  // z: s, a
    bool forward = !(value_of(m[2]) > 0.5), backward = value_of(m[3]) > 0.5;
    T force = forward ? T(10) : backward ? T(-10) : w[2];
    r[0] = T(2) * w[3] - w[4] + force, r[1] = w[3] - (forward ? w[2] - T(10) : backward ? w[2] + T(10) : T(0));
  }
  template <class T>
  static void update(const T* w, const T*, T* r) {
    r[0] = T(value_of(w[2]) < 10), r[1] = T(value_of(w[2]) < -10);
  }
  template <class T>
  static void indicators(const T* w, const T*, T* r) {
    r[0] = w[2] - T(10), r[1] = w[2] + T(10);
  }
};

TEST(RelationPath, goes_through_sticking_from_one_direction_to_the_other) {
  Followed<Friction> path({12.5, 2.5}, {-16});  // slid forward at 2.5 m/s² under 15 N, now -16 N
  ASSERT_TRUE(path.follow({0, 0}));
  EXPECT_TRUE(path.off(0) && path.off(1));
  EXPECT_NEAR(path.z[1], (-16 + 10) / 2.0, 1e-12);
  EXPECT_NEAR(path.z[0], -13, 1e-12);
  Followed<Friction> sticks({12.5, 2.5}, {7});
  ASSERT_TRUE(sticks.follow({0, 0}));
  EXPECT_NEAR(sticks.z[0], 7, 1e-12);
  EXPECT_NEAR(sticks.z[1], 0, 1e-12);
}

/// f(z) = u with f = z below 1, 2 − z between 1 and 2 (`last`: to the end), z − 2 above. Relations: z < 1, z < 2.
template <bool last>
struct Fold : NoEvents {
  static constexpr std::size_t nx = 1, nz = 1, nu = 1, np = 4, n_free = 2, nm = 2, n_indicators = 2;
  template <class T>
  static void rates(const T*, const T*, T* r) {
    r[0] = T(0);
  }
  template <class T>
  static void residuals(const T* w, const T* m, T* r) {
    bool low = value_of(m[2]) > 0.5, middle = last || value_of(m[3]) > 0.5;
    r[0] = (low ? w[2] : middle ? T(2) - w[2] : w[2] - T(2)) - w[3];
  }
  template <class T>
  static void update(const T* w, const T*, T* r) {
    r[0] = T(value_of(w[2]) < 1), r[1] = T(value_of(w[2]) < 2);
  }
  template <class T>
  static void indicators(const T* w, const T*, T* r) {
    r[0] = w[2] - T(1), r[1] = w[2] - T(2);
  }
};

TEST(RelationPath, follows_a_branch_that_turns_back_until_it_turns_again) {
  Followed<Fold<false>> path({0}, {1.5});  // up to 1, back down to 0 at z = 2, up to 1.5
  ASSERT_TRUE(path.follow({1, 1}));
  EXPECT_NEAR(path.z[0], 3.5, 1e-12);
  EXPECT_TRUE(!path.off(0) && !path.off(1));
  Followed<Fold<false>> near({0}, {0.75});  // of three solutions the one on the branch of the start
  ASSERT_TRUE(near.follow({1, 1}));
  EXPECT_NEAR(near.z[0], 0.75, 1e-12);
}

TEST(RelationPath, says_when_the_branch_runs_away) {
  Followed<Fold<true>> path({0}, {1.5});  // no more than 1 is ever reached
  EXPECT_FALSE(path.follow({1, 1}));
}

TEST(RelationPath, ends_where_a_value_cannot_be_had) {
  Followed<OneDiode> path({5}, {std::nan("")});
  EXPECT_FALSE(path.follow({0}));
}

}  // namespace
}  // namespace bolza::integrate
