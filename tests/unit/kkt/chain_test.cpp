// SPDX-License-Identifier: Apache-2.0
#include "runtime/kkt/chain.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <functional>
#include <memory>
#include <random>
#include <string>
#include <vector>

namespace bolza::kkt {
namespace {

/// A random matrix of a barrier step with the structure of a chain, as places and as a dense matrix.
struct RandomChain {
  ChainShape shape;
  std::vector<std::int32_t> hessian_row, hessian_col, jacobian_row, jacobian_col;
  std::vector<double> hessian, jacobian, Dx, Dc;

  void fill_shape() {
    shape.hessian = {hessian_row, hessian_col};
    shape.jacobian = {jacobian_row, jacobian_col};
    shape.n = Dx.size();
    shape.m = Dc.size();
  }
  Eigen::MatrixXd dense() const {
    auto n = static_cast<Eigen::Index>(shape.n), m = static_cast<Eigen::Index>(shape.m);
    Eigen::MatrixXd K = Eigen::MatrixXd::Zero(n + m, n + m);
    auto add = [&](Eigen::Index i, Eigen::Index j, double v) {
      K(i, j) += v;
      if (i != j) K(j, i) += v;
    };
    for (std::size_t e = 0; e < hessian.size(); ++e) add(hessian_row[e], hessian_col[e], hessian[e]);
    for (std::size_t e = 0; e < jacobian.size(); ++e) add(n + jacobian_row[e], jacobian_col[e], jacobian[e]);
    for (std::size_t v = 0; v < Dx.size(); ++v) add(static_cast<Eigen::Index>(v), static_cast<Eigen::Index>(v), Dx[v]);
    for (std::size_t r = 0; r < Dc.size(); ++r)
      add(n + static_cast<Eigen::Index>(r), n + static_cast<Eigen::Index>(r), -Dc[r]);
    return K;
  }
};

/// What a random chain has.
struct Kinds {
  std::size_t stages = 5, states = 2, interior = 2, controls = 1, border_variables = 0, border_rows = 0, soft = 0;
  bool same_places = true;  ///< in every stage, so that they share lanes
  bool indefinite = false, singular_blocks = false, repeated = false, no_curvature = false;
  double spread = 0;                                           ///< decimal exponents of scales
  double delta_c = 0;                                          ///< of every equation
  std::size_t dependent_stage = static_cast<std::size_t>(-1);  ///< has two equations that are the same
};

class ChainMaker {
 public:
  ChainMaker(const Kinds& kinds, unsigned seed) : kinds_(kinds), random_(seed) {}

  RandomChain make() {
    for (std::size_t b = 0; b < kinds_.border_variables; ++b) borders_.push_back(variable(border, false));
    for (std::size_t a = 0; a < kinds_.states; ++a) state_.push_back(variable(0, false));
    for (std::size_t k = 0; k < kinds_.stages; ++k) add_stage(static_cast<std::int32_t>(k), k == kinds_.dependent_stage);
    for (std::size_t r = 0; r < kinds_.border_rows; ++r) {
      std::int32_t row = add_row(border, false);
      for (std::int32_t v : state_) entry(row, v, number());
      for (std::int32_t v : borders_) entry(row, v, number());
    }
    scale();
    out_.fill_shape();
    return std::move(out_);
  }

 private:
  double number() { return std::uniform_real_distribution<>(-1, 1)(random_); }
  bool is_there(double share) { return std::uniform_real_distribution<>(0, 1)(places_) < share; }
  std::int32_t variable(std::int32_t stage, bool free) {
    out_.shape.variable_stage.push_back(stage);
    out_.shape.is_free.push_back(free);
    out_.Dx.push_back(kinds_.no_curvature ? 0.0 : 0.1 + std::fabs(number()));
    return static_cast<std::int32_t>(out_.Dx.size()) - 1;
  }
  std::int32_t add_row(std::int32_t stage, bool soft) {
    out_.shape.row_stage.push_back(stage);
    out_.shape.is_soft.push_back(soft);
    out_.Dc.push_back(soft ? std::pow(10.0, 4 * number()) : kinds_.delta_c);
    return static_cast<std::int32_t>(out_.Dc.size()) - 1;
  }
  void entry(std::int32_t row, std::int32_t col, double value) {
    out_.jacobian_row.push_back(row);
    out_.jacobian_col.push_back(col);
    out_.jacobian.push_back(value);
  }
  void curve(std::int32_t a, std::int32_t b, double value) {
    out_.hessian_row.push_back(std::max(a, b));
    out_.hessian_col.push_back(std::min(a, b));
    out_.hessian.push_back(value);
  }

  void add_stage(std::int32_t stage, bool dependent) {
    if (kinds_.same_places) places_.seed(11);
    std::vector<std::int32_t> inner, all = state_, next;
    for (std::size_t i = 0; i < kinds_.interior; ++i) inner.push_back(variable(stage, false));
    for (std::size_t i = 0; i < kinds_.controls; ++i) inner.push_back(variable(stage, true));
    for (std::size_t a = 0; a < kinds_.states; ++a) next.push_back(variable(stage + 1, false));
    all.insert(all.end(), inner.begin(), inner.end());
    all.insert(all.end(), next.begin(), next.end());
    std::size_t equations = kinds_.interior + kinds_.states;
    std::size_t first = out_.jacobian.size();
    for (std::size_t r = 0; r < equations; ++r) {
      std::int32_t row = add_row(stage, false);
      if (dependent && r == 1) {  // the first once more
        std::size_t end = out_.jacobian.size();
        for (std::size_t e = first; e < end; ++e) entry(row, out_.jacobian_col[e], out_.jacobian[e]);
        continue;
      }
      std::int32_t own = r < kinds_.interior ? inner[r] : next[r - kinds_.interior];
      for (std::int32_t v : all)
        if (v == own || is_there(0.6)) entry(row, v, number() + (v == own && !kinds_.singular_blocks ? 2 : 0));
      for (std::int32_t v : borders_)
        if (is_there(0.25)) entry(row, v, number());
      if (kinds_.repeated) entry(row, own, number());
    }
    for (std::size_t r = 0; r < kinds_.soft; ++r) {
      std::int32_t row = add_row(stage, true);
      for (std::int32_t v : all) entry(row, v, number());
    }
    for (std::size_t i = 0; i < all.size() && !kinds_.no_curvature; ++i)
      for (std::size_t j = 0; j <= i; ++j)
        if (i == j || is_there(0.35)) curve(all[i], all[j], kinds_.indefinite ? 2 * number() : 0.05 * number());
    for (std::int32_t b : borders_)
      if (is_there(0.25) && !kinds_.no_curvature) curve(b, all[0], 0.05 * number());
    state_ = next;
  }

  void scale() {
    if (kinds_.spread == 0) return;
    std::vector<double> v(out_.Dx.size()), r(out_.Dc.size());
    for (double& s : v) s = std::pow(10.0, kinds_.spread * number());
    for (double& s : r) s = std::pow(10.0, kinds_.spread * number());
    for (std::size_t e = 0; e < out_.hessian.size(); ++e)
      out_.hessian[e] *= v[static_cast<std::size_t>(out_.hessian_row[e])] * v[static_cast<std::size_t>(out_.hessian_col[e])];
    for (std::size_t e = 0; e < out_.jacobian.size(); ++e)
      out_.jacobian[e] *=
          r[static_cast<std::size_t>(out_.jacobian_row[e])] * v[static_cast<std::size_t>(out_.jacobian_col[e])];
    for (std::size_t k = 0; k < v.size(); ++k) out_.Dx[k] *= v[k] * v[k];
    for (std::size_t k = 0; k < r.size(); ++k) out_.Dc[k] *= r[k] * r[k];
  }

  Kinds kinds_;
  std::mt19937 random_, places_{3};
  RandomChain out_;
  std::vector<std::int32_t> state_, borders_;
};

/// Which side of m the number of negative eigenvalues is on; singular where one is rounding, after scaling.
struct Truth {
  int side = 0;
  bool singular = false;
};
Truth truth_of(Eigen::MatrixXd K, std::size_t m) {
  for (int k = 0; k < 20; ++k) {
    Eigen::VectorXd s = K.cwiseAbs().rowwise().maxCoeff().cwiseSqrt().cwiseInverse();
    for (double& v : s)
      if (!std::isfinite(v)) v = 1;
    K = s.asDiagonal() * K * s.asDiagonal();
  }
  Eigen::VectorXd values = Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(K).eigenvalues();
  auto negative = static_cast<std::size_t>((values.array() < 0).count());
  return {negative < m ? -1 : negative > m ? 1 : 0, values.cwiseAbs().minCoeff() < 1e-12};
}

void look(const RandomChain& chain, const std::string& what) {
  std::unique_ptr<Chain> factors = Chain::analyse(chain.shape);
  ASSERT_TRUE(factors) << what;
  Eigen::MatrixXd K = chain.dense();
  Truth truth = truth_of(K, chain.shape.m);
  for (Care care : {Care::fast, Care::pivots}) {
    Factored found = factors->factor(chain.hessian, chain.jacobian, chain.Dx, chain.Dc, care);
    std::string where = what + (care == Care::fast ? ", in lanes" : ", by pivots");
    if (truth.singular) {
      EXPECT_TRUE(found.outcome != Outcome::ok || found.negative != chain.shape.m) << where;
      continue;
    }
    EXPECT_NE(found.outcome, Outcome::singular) << where;
    EXPECT_NE(found.outcome, Outcome::unstable) << where;
    int side = found.outcome == Outcome::too_many_negative || found.negative > chain.shape.m ? 1
               : found.negative < chain.shape.m                                              ? -1
                                                                                             : 0;
    EXPECT_EQ(side, truth.side) << where;
    if (found.outcome != Outcome::ok) continue;
    std::mt19937 random(7);
    std::size_t size = chain.shape.n + chain.shape.m;
    std::vector<double> rhs(3 * size);
    for (double& v : rhs) v = std::uniform_real_distribution<>(-1, 1)(random);
    std::vector<double> x = rhs;
    EXPECT_LT(factors->solve(x), 1e-9) << where;
    for (std::size_t c = 0; c < 3; ++c) {
      auto length = static_cast<Eigen::Index>(size), begin = static_cast<Eigen::Index>(c * size);
      Eigen::VectorXd b = Eigen::Map<Eigen::VectorXd>(rhs.data(), 3 * length).segment(begin, length);
      Eigen::VectorXd of_x = Eigen::Map<Eigen::VectorXd>(x.data(), 3 * length).segment(begin, length);
      Eigen::VectorXd size_of = K.cwiseAbs() * of_x.cwiseAbs() + b.cwiseAbs();
      double worst = ((K * of_x - b).cwiseAbs().array() / (size_of.array() + 1e-15)).maxCoeff();
      EXPECT_LT(worst, 1e-9) << where;
    }
  }
}

void look_at_many(const std::string& name, int count, const std::function<Kinds(unsigned)>& kinds) {
  for (unsigned seed = 0; seed < static_cast<unsigned>(count); ++seed) {
    Kinds of = kinds(seed);
    of.same_places = seed % 3 != 0;
    look(ChainMaker(of, 31 * seed + 5).make(), name + ", seed " + std::to_string(seed));
  }
}

TEST(Chain, solves_what_stages_determine) {
  look_at_many("plain", 60, [](unsigned s) {
    return Kinds{.stages = 1 + s % 9, .states = 1 + s % 4, .interior = s % 5, .controls = s % 3};
  });
}
TEST(Chain, knows_the_side_of_the_inertia_where_curvature_is_negative) {
  look_at_many("indefinite", 100, [](unsigned s) {
    return Kinds{.stages = 2 + s % 6,
                 .states = 1 + s % 3,
                 .interior = s % 4,
                 .controls = 1 + s % 3,
                 .border_variables = s % 3,
                 .soft = s % 3,
                 .indefinite = true};
  });
}
TEST(Chain, takes_inequalities_and_a_border) {
  look_at_many("border", 80, [](unsigned s) {
    return Kinds{.stages = 3 + s % 5,
                 .states = 1 + s % 3,
                 .interior = s % 4,
                 .controls = 2,
                 .border_variables = s % 8 == 0 ? 50 : 1 + s % 5,
                 .border_rows = s % 3,
                 .soft = s % 4};
  });
}
TEST(Chain, takes_final_states_that_are_given) {
  look_at_many("linked", 60, [](unsigned s) {
    return Kinds{.stages = 4 + s % 6,
                 .states = 1 + s % 4,
                 .interior = s % 3,
                 .controls = 2,
                 .border_variables = s % 2,
                 .border_rows = 1 + s % 4,
                 .no_curvature = false};
  });
}
TEST(Chain, takes_blocks_that_are_singular) {
  look_at_many("singular blocks", 80, [](unsigned s) {
    return Kinds{.stages = 2 + s % 6,
                 .states = 2,
                 .interior = 1 + s % 3,
                 .controls = 1 + s % 3,
                 .border_variables = s % 2,
                 .indefinite = s % 2 == 1,
                 .singular_blocks = true,
                 .repeated = s % 3 == 0};
  });
}
TEST(Chain, finds_equations_that_depend_on_each_other) {
  look_at_many("dependent", 40, [](unsigned s) {
    return Kinds{.stages = 3 + s % 8, .states = 2, .interior = 2, .controls = 2, .dependent_stage = s % 3};
  });
}
TEST(Chain, takes_dependent_equations_that_are_regularised) {
  look_at_many("regularised", 40, [](unsigned s) {
    return Kinds{.stages = 3 + s % 8,
                 .states = 2,
                 .interior = 2,
                 .controls = 2,
                 .border_variables = s % 2,
                 .border_rows = s % 2,
                 .delta_c = std::pow(10.0, -static_cast<double>(s % 8)),
                 .dependent_stage = s % 3};
  });
}
TEST(Chain, takes_scales_twelve_orders_apart) {
  look_at_many("scales", 60, [](unsigned s) {
    return Kinds{.stages = 3 + s % 6,
                 .states = 1 + s % 3,
                 .interior = s % 3,
                 .controls = 1 + s % 2,
                 .border_variables = s % 3,
                 .soft = s % 3,
                 .indefinite = s % 4 == 0,
                 .spread = 3.0 + s % 4};
  });
}

TEST(Chain, is_none_where_stages_far_apart_are_joined_often) {
  Kinds kinds{.stages = 300};
  RandomChain chain = ChainMaker(kinds, 1).make();
  for (std::size_t r = 0; r + 20 < chain.Dc.size(); ++r) {
    chain.jacobian_row.push_back(static_cast<std::int32_t>(r));
    chain.jacobian_col.push_back(static_cast<std::int32_t>(chain.Dx.size() - 1 - r));
    chain.jacobian.push_back(1);
  }
  chain.fill_shape();
  EXPECT_EQ(Chain::analyse(chain.shape), nullptr);
}

TEST(Chain, eliminates_stages_of_one_kind_in_lanes) {
  RandomChain chain = ChainMaker({.stages = 40, .states = 3, .interior = 3, .controls = 1}, 3).make();
  std::unique_ptr<Chain> factors = Chain::analyse(chain.shape);
  ASSERT_TRUE(factors);
  EXPECT_EQ(factors->sizes().stages, 40U);
  EXPECT_EQ(factors->sizes().in_lanes, 40U);
  EXPECT_EQ(factors->factor(chain.hessian, chain.jacobian, chain.Dx, chain.Dc, Care::fast).outcome, Outcome::ok);
  EXPECT_EQ(factors->counts().by_pivots, 0U);
  EXPECT_EQ(factors->counts().delayed, 0U);
}

}  // namespace
}  // namespace bolza::kkt
