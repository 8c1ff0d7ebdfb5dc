// SPDX-License-Identifier: Apache-2.0
#include "runtime/kkt/chain.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "runtime/kkt/dense_kernels.h"
#include "runtime/kkt/front.h"
#include "runtime/kkt/lanes.h"
#include "runtime/kkt/stage_kind.h"
#include "runtime/kkt/structure.h"

namespace bolza::kkt {
namespace {

constexpr double pivot_threshold = 0.01;   // [DR]: entries of L up to 100
constexpr std::size_t most_delayed = 200;  // in one front
constexpr int most_refinements = 4;
constexpr double good_residual = 1e-12;

/// What a front leaves to the stage before: a symmetric matrix by (delayed pivots, boundary, border), by columns.
struct Rest {
  std::size_t delayed = 0, boundary = 0, border_size = 0;
  std::vector<std::int32_t> nodes;  ///< [delayed]
  std::vector<double> scales;       ///< [delayed] that they had
  std::vector<double> matrix;
  std::size_t n() const { return delayed + boundary + border_size; }
  double at(std::size_t i, std::size_t j) const { return matrix[j * n() + i]; }
};

/// Of one stage, or of the border at the end.
struct StageFactors {
  bool in_lanes = false;
  std::size_t n = 0, full = 0, pivots = 0, taken = 0;  ///< taken: delayed from the next stage
  std::size_t numbers = 0, pairs = 0, order = 0;       ///< begin in the stores
  std::size_t taken_nodes = 0;                         ///< of the delayed, in the store of nodes
  std::size_t rest = none;                             ///< what came from the next stage, for those in lanes, in the numbers
  static constexpr std::size_t none = static_cast<std::size_t>(-1);
};

class ChainFactors final : public Chain {
 public:
  ChainFactors(ChainStructure structure, const ChainShape& shape)
      : s_(std::move(structure)),
        groups_(group_stages(s_, shape)),
        hessian_row_(shape.hessian.row.begin(), shape.hessian.row.end()),
        hessian_col_(shape.hessian.col.begin(), shape.hessian.col.end()),
        jacobian_row_(shape.jacobian.row.begin(), shape.jacobian.row.end()),
        jacobian_col_(shape.jacobian.col.begin(), shape.jacobian.col.end()),
        values_(s_.sources()),
        stages_(s_.stages.size() + 1),
        incoming_(s_.stages.size() + 1) {
    std::size_t work = 1;
    for (const StageGroup& group : groups_.groups) {
      const StageKind& kind = *group.kind;
      factors_.emplace_back(kind);
      rhs_.emplace_back(kind);
      solutions_.emplace_back(kind);
      work = std::max(work, std::max(kind.K, kind.soft.size()) * (kind.M() + 1) + kind.K + kind.soft.size());
    }
    work_.resize(work);
  }

  Factored factor(std::span<const double> hessian, std::span<const double> jacobian, std::span<const double> Dx,
                  std::span<const double> Dc, Care care) override {
    auto to = std::copy(hessian.begin(), hessian.end(), values_.begin());
    to = std::copy(jacobian.begin(), jacobian.end(), to);
    to = std::copy(Dx.begin(), Dx.end(), to);
    std::transform(Dc.begin(), Dc.end(), to, [](double d) { return -d; });
    numbers_.clear();
    pairs_.clear();
    orders_.clear();
    nodes_.clear();
    counts_ = {};
    border_scale_.assign(s_.border_nodes.size(), INFINITY);
    choose_lanes(care);
    Factored result;
    Rest rest{0, s_.boundary_before(s_.stages.size()), s_.border_nodes.size(), {}, {}, {}};
    rest.matrix.assign(rest.n() * rest.n(), 0.0);
    for (std::size_t k = s_.stages.size() + 1; k-- > 0;) {
      std::size_t stage = k == 0 ? s_.stages.size() : k - 1;
      result.stage = stage == s_.stages.size() ? border : static_cast<std::int32_t>(stage);
      eliminate(stage, rest);
      result.negative += front_.negative() + (stages_[stage].in_lanes ? equations_of(stage) + soft_of(stage) : 0);
      if (result.negative > s_.m) result.outcome = Outcome::too_many_negative;
      else if (rest.delayed > most_delayed) result.outcome = Outcome::unstable;
      if (result.outcome != Outcome::ok) return result;
    }
    if (rest.delayed > 0) result.outcome = Outcome::singular;
    return result;
  }

  double solve(std::span<double> rhs) override {
    std::size_t size = s_.n + s_.m;
    double worst = 0;
    for (std::size_t first = 0; first < rhs.size(); first += size)
      worst = std::max(worst, solve_one(rhs.subspan(first, size)));
    return worst;
  }

  Sizes sizes() const override {
    Sizes sizes{s_.stages.size(), 0, s_.border_nodes.size(), 0, 0};
    for (std::size_t k = 0; k < s_.stages.size(); ++k) {
      std::size_t own = s_.stages[k].own.size(), rest = s_.boundary_before(k) + s_.border_nodes.size();
      sizes.largest_stage = std::max(sizes.largest_stage, own);
      sizes.in_lanes += groups_.group_of[k] >= 0;
      auto n = static_cast<double>(own + rest);
      if (groups_.group_of[k] < 0) {
        sizes.flops += n * n * n / 3;
        continue;
      }
      const StageKind& kind = *group_of(k).kind;
      auto K = static_cast<double>(kind.K), M = static_cast<double>(kind.M()),
           w = static_cast<double>(kind.free.size() + rest);
      sizes.flops += (2 * K * K * K / 3 + 3 * K * K * M + K * M * M) / static_cast<double>(lanes) + 3 * w * w * w;
    }
    return sizes;
  }
  Counts counts() const override { return counts_; }

 private:
  const StageGroup& group_of(std::size_t stage) const {
    return groups_.groups[static_cast<std::size_t>(groups_.group_of[stage])];
  }
  std::size_t equations_of(std::size_t stage) const { return group_of(stage).kind->K; }
  std::size_t soft_of(std::size_t stage) const { return group_of(stage).kind->soft.size(); }

  // ---- factors

  void choose_lanes(Care care) {
    for (StageFactors& stage : stages_) stage = {};
    if (care != Care::fast) {
      counts_.by_pivots = s_.stages.size();
      return;
    }
    for (std::size_t g = 0; g < groups_.groups.size(); ++g) {
      const StageGroup& group = groups_.groups[g];
      bool zero = std::all_of(group.zeros.begin(), group.zeros.end(),
                              [&](std::int32_t source) { return values_[static_cast<std::size_t>(source)] == 0; });
      if (!zero) continue;
      factor_group(group, values_.data(), factors_[g], work_);
      for (std::size_t l = 0; l < group.stages.size(); ++l)
        stages_[group.stages[l]].in_lanes = !(factors_[g].bad >> l & 1U) && soft_rows_are_soft(group.stages[l]);
    }
    for (std::size_t k = 0; k < s_.stages.size(); ++k) counts_.by_pivots += !stages_[k].in_lanes;
  }
  bool soft_rows_are_soft(std::size_t stage) const {
    const ChainStage& of = s_.stages[stage];
    for (std::int32_t position : group_of(stage).kind->soft) {
      auto row = static_cast<std::size_t>(of.own[static_cast<std::size_t>(position)]) - s_.n;
      double d = -values_[s_.sources() - s_.m + row];
      if (!(d > 0) || !std::isfinite(1 / d)) return false;
    }
    return true;
  }

  /// The front of a stage, or of the border, with what the next one left; `rest` becomes what this one leaves.
  void eliminate(std::size_t stage, Rest& rest) {
    StageFactors& f = stages_[stage];
    f.taken = rest.delayed;
    f.taken_nodes = nodes_.size();
    nodes_.insert(nodes_.end(), rest.nodes.begin(), rest.nodes.end());
    bool last = stage == s_.stages.size();
    if (last) assemble_border(rest);
    else if (f.in_lanes) assemble_condensed(stage, rest);
    else assemble_stage(stage, rest);
    f.n = front_.n();
    for (std::size_t i = 0; i < rest.delayed; ++i) front_.limit_scale(f.full - rest.delayed + i, rest.scales[i]);
    for (std::size_t i = 0; last && i < border_scale_.size(); ++i) front_.limit_scale(i, border_scale_[i]);
    front_.eliminate(pivot_threshold, last);
    f.pivots = front_.pivots();
    f.numbers = numbers_.size();
    f.pairs = pairs_.size();
    f.order = orders_.size();
    front_.store(numbers_, pairs_);
    orders_.insert(orders_.end(), front_.order().begin(), front_.order().end());
    for (std::size_t i = 0; !last && i < border_scale_.size(); ++i)
      if (std::size_t position = f.n - border_scale_.size() + i; front_.is_scaled(position))
        border_scale_[i] = std::min(border_scale_[i], front_.scale_of(position));
    leave(stage, rest);
    counts_.delayed += rest.delayed;
  }

  void assemble_border(const Rest& rest) {
    std::size_t size = s_.border_nodes.size(), d = rest.delayed;
    stages_.back().full = d + size;
    front_.reset(d + size, d + size);
    for (std::size_t j = 0; j < d + size; ++j)
      for (std::size_t i = j; i < d + size; ++i) {
        // (border, delayed) here; the rest has no boundary
        front_.add(i < d ? size + i : i - d, j < d ? size + j : j - d, rest.at(i, j));
      }
    for (const StageEntry& e : s_.border_entries)
      front_.add(static_cast<std::size_t>(e.row), static_cast<std::size_t>(e.col),
                 values_[static_cast<std::size_t>(e.source)]);
  }

  /// By pivots: own nodes, delayed; boundary of the stage before, border.
  void assemble_stage(std::size_t stage, const Rest& rest) {
    const ChainStage& of = s_.stages[stage];
    std::size_t own = of.own.size(), d = rest.delayed, before = s_.boundary_before(stage), size = s_.border_nodes.size();
    stages_[stage].full = own + d;
    front_.reset(own + d + before + size, own + d);
    auto at = [&](std::int32_t code) {
      auto c = static_cast<std::size_t>(code);
      return c < own ? c : c + d;
    };
    for (const StageEntry& e : of.entries) front_.add(at(e.row), at(e.col), values_[static_cast<std::size_t>(e.source)]);
    auto place = [&](std::size_t i) {
      if (i < d) return own + i;
      if (i < d + rest.boundary) return static_cast<std::size_t>(of.boundary[i - d]);
      return own + before + i - rest.boundary;
    };
    for (std::size_t j = 0; j < rest.n(); ++j)
      for (std::size_t i = j; i < rest.n(); ++i) front_.add(place(i), place(j), rest.at(i, j));
  }

  /// Row b of T: the boundary of a stage in lanes by its w, [free + before + border used]; empty: it is the free variable
  /// `boundary[b].col`.
  void boundary_by_w(std::size_t stage, std::vector<double>& T) const {
    const StageKind& kind = *group_of(stage).kind;
    const GroupFactors& f = factors_[static_cast<std::size_t>(groups_.group_of[stage])];
    auto lane = static_cast<std::size_t>(groups_.lane_of[stage]);
    std::size_t B = kind.boundary.size(), M = kind.M();
    T.assign(B * M, 0.0);
    for (std::size_t b = 0; b < B; ++b) {
      auto index = static_cast<std::size_t>(kind.boundary[b].col);
      if (kind.boundary[b].row == 1) T[index * B + b] = 1;
      else
        for (std::size_t c = 0; c < M; ++c) T[c * B + b] = f.Z[index * M + c][lane];
    }
  }
  /// Position of w[c] in the front of a stage in lanes: free, delayed; boundary before, border.
  static std::size_t place_of_w(const StageKind& kind, std::size_t delayed, std::size_t c) {
    std::size_t free = kind.free.size();
    if (c < free) return c;
    if (c < free + kind.before) return c + delayed;
    return free + delayed + kind.before + static_cast<std::size_t>(kind.border[c - free - kind.before]);
  }

  void assemble_condensed(std::size_t stage, const Rest& rest) {
    const StageKind& kind = *group_of(stage).kind;
    const GroupFactors& f = factors_[static_cast<std::size_t>(groups_.group_of[stage])];
    auto lane = static_cast<std::size_t>(groups_.lane_of[stage]);
    std::size_t free = kind.free.size(), d = rest.delayed, B = rest.boundary, M = kind.M(), size = s_.border_nodes.size();
    StageFactors& of = stages_[stage];
    of.full = free + d;
    front_.reset(free + d + kind.before + size, free + d);
    place_.resize(M);
    for (std::size_t c = 0; c < M; ++c) place_[c] = place_of_w(kind, d, c);
    for (std::size_t c = 0; c < M; ++c)
      for (std::size_t e = 0; e <= c; ++e) front_.add(place_[c], place_[e], f.W[c * M + e][lane]);
    of.rest = numbers_.size();
    numbers_.insert(numbers_.end(), rest.matrix.begin(), rest.matrix.end());
    auto other = [&](std::size_t i) { return i < d ? free + i : free + kind.before + i - B; };  // delayed, border
    for (std::size_t j = 0; j < rest.n(); ++j) {
      if (j >= d && j < d + B) continue;
      for (std::size_t i = j; i < rest.n(); ++i)
        if (i < d || i >= d + B) front_.add(other(i), other(j), rest.at(i, j));
    }
    if (B == 0) return;
    boundary_by_w(stage, T_);
    std::size_t R = rest.n();
    by_w_.assign(R * M, 0.0);  // rest's columns of the boundary, times T
    columns_.resize(B * R);
    for (std::size_t b = 0; b < B; ++b)
      for (std::size_t i = 0; i < R; ++i) columns_[i * B + b] = rest.at(i, d + b);
    add_product(columns_.data(), T_.data(), by_w_.data(), B, R, M);
    square_.assign(M * M, 0.0);
    below_.resize(B * M);
    for (std::size_t c = 0; c < M; ++c)
      for (std::size_t b = 0; b < B; ++b) below_[c * B + b] = by_w_[c * R + d + b];
    add_product(T_.data(), below_.data(), square_.data(), B, M, M);
    for (std::size_t c = 0; c < M; ++c) {
      for (std::size_t e = 0; e <= c; ++e) front_.add(place_[c], place_[e], square_[e * M + c]);
      for (std::size_t i = 0; i < R; ++i) {
        if (i >= d && i < d + B) continue;
        std::size_t p = other(i);
        front_.add(p, place_[c], by_w_[c * R + i] * (p == place_[c] ? 2 : 1));
      }
    }
  }

  void leave(std::size_t stage, Rest& rest) {
    StageFactors& f = stages_[stage];
    Rest left{f.full - f.pivots,
              stage == s_.stages.size() ? 0 : s_.boundary_before(stage),
              stage == s_.stages.size() ? 0 : s_.border_nodes.size(),
              {},
              {},
              {}};
    for (std::size_t i = f.pivots; i < f.full; ++i) {
      left.nodes.push_back(node_at(stage, static_cast<std::size_t>(front_.order()[i])));
      left.scales.push_back(front_.scale_of(i));
    }
    std::size_t n = left.n();
    left.matrix.resize(n * n);
    for (std::size_t j = 0; j < n; ++j)
      for (std::size_t i = 0; i < n; ++i) left.matrix[j * n + i] = front_.left(f.pivots + i, f.pivots + j);
    rest = std::move(left);
  }

  /// The node of row i of a front as it was assembled.
  std::int32_t node_at(std::size_t stage, std::size_t i) const {
    const StageFactors& f = stages_[stage];
    bool last = stage == s_.stages.size();
    std::size_t own = f.full - f.taken;
    if (i >= own && i < f.full) return nodes_[f.taken_nodes + i - own];
    if (last) return s_.border_nodes[i];
    if (i < own) return s_.stages[stage].own[f.in_lanes ? static_cast<std::size_t>(group_of(stage).kind->free[i]) : i];
    i -= f.full;
    if (std::size_t before = s_.boundary_before(stage); i >= before) return s_.border_nodes[i - before];
    const ChainStage& earlier = s_.stages[stage - 1];
    return earlier.own[static_cast<std::size_t>(earlier.boundary[i])];
  }

  // ---- solves

  FrontFactors front_of(const StageFactors& f) const {
    return {f.n, f.pivots, numbers_.data() + f.numbers, pairs_.data() + f.pairs};
  }

  double solve_one(std::span<double> rhs) {
    rhs_copy_.assign(rhs.begin(), rhs.end());
    solution_.resize(rhs.size());
    substitute(rhs_copy_);
    best_ = solution_;
    Residual residual = residual_of(best_, rhs_copy_, residual_vector_);
    for (int k = 0; k < most_refinements && residual.by_entries > good_residual; ++k) {
      correction_rhs_ = residual_vector_;
      substitute(correction_rhs_);
      for (std::size_t i = 0; i < solution_.size(); ++i) solution_[i] += best_[i];
      Residual refined = residual_of(solution_, rhs_copy_, residual_vector_);
      if (!(refined.by_entries < residual.by_entries)) break;
      bool slow = refined.by_entries > 0.1 * residual.by_entries;
      best_ = solution_;
      residual = refined;
      if (slow && residual.as_whole <= good_residual) break;
    }
    std::copy(best_.begin(), best_.end(), rhs.begin());
    return residual.as_whole;
  }

  struct Residual {
    double by_entries = 0;  ///< the largest, relative to (|K| |x| + |b|) of its row
    double as_whole = 0;    ///< the smaller of that and the largest relative to those of x and b, as IPOPT has it
  };
  /// r := b − K x
  Residual residual_of(const std::vector<double>& x, const std::vector<double>& b, std::vector<double>& r) {
    r = b;
    size_.resize(b.size());
    double largest_b = 0;
    for (std::size_t i = 0; i < b.size(); ++i) {
      size_[i] = std::fabs(b[i]);
      largest_b = std::max(largest_b, size_[i]);
    }
    std::size_t source = 0;
    auto take = [&](std::size_t i, std::size_t j) {
      double v = values_[source++], a = v * x[j];
      r[i] -= a;
      size_[i] += std::fabs(a);
      if (i == j) return;
      double c = v * x[i];
      r[j] -= c;
      size_[j] += std::fabs(c);
    };
    for (std::size_t e = 0; e < hessian_row_.size(); ++e)
      take(static_cast<std::size_t>(hessian_row_[e]), static_cast<std::size_t>(hessian_col_[e]));
    for (std::size_t e = 0; e < jacobian_row_.size(); ++e)
      take(s_.n + static_cast<std::size_t>(jacobian_row_[e]), static_cast<std::size_t>(jacobian_col_[e]));
    for (std::size_t i = 0; i < b.size(); ++i) take(i, i);
    double largest_r = 0, largest_x = 0, worst = 0, least = 1e-30 + std::numeric_limits<double>::epsilon() * largest_b;
    for (std::size_t i = 0; i < b.size(); ++i) {
      double share = std::fabs(r[i]) / (size_[i] + least);
      if (!(share <= worst)) worst = std::isfinite(share) ? share : INFINITY;
      largest_r = std::max(largest_r, std::fabs(r[i]));
      largest_x = std::max(largest_x, std::fabs(x[i]));
    }
    constexpr double most_of_x = 1e6;
    double as_whole = largest_r / (std::min(largest_x, most_of_x * largest_b) + largest_b + least);
    return {worst, std::isfinite(worst) ? std::min(worst, as_whole) : worst};
  }

  /// solution_ := K⁻¹ b by the factors alone.
  void substitute(const std::vector<double>& b) {
    condense_all(b);
    forward(b);
    backward();
    expand_all();
  }

  /// Lanes of stages that got pivots are solved too, to no use.
  void condense_all(const std::vector<double>& b) {
    for (std::size_t g = 0; g < groups_.groups.size(); ++g) {
      const StageGroup& group = groups_.groups[g];
      const StageKind& kind = *group.kind;
      GroupVector& rhs = rhs_[g];
      std::fill(rhs.w.begin(), rhs.w.end(), Lanes{});
      for (std::size_t l = 0; l < group.stages.size(); ++l) {
        const std::vector<std::int32_t>& own = s_.stages[group.stages[l]].own;
        take(kind.dependent, own, b, l, rhs.z);
        take(kind.equations, own, b, l, rhs.equations);
        take(kind.soft, own, b, l, rhs.soft);
        take(kind.free, own, b, l, rhs.w);
      }
      if (uses_lanes(group)) condense_group(kind, factors_[g], rhs, work_);
    }
  }
  bool uses_lanes(const StageGroup& group) const {
    return std::any_of(group.stages.begin(), group.stages.end(), [&](std::size_t k) { return stages_[k].in_lanes; });
  }
  static void take(const std::vector<std::int32_t>& positions, const std::vector<std::int32_t>& own,
                   const std::vector<double>& from, std::size_t lane, LaneVector& to) {
    for (std::size_t k = 0; k < positions.size(); ++k)
      to[k][lane] = from[static_cast<std::size_t>(own[static_cast<std::size_t>(positions[k])])];
  }

  void forward(const std::vector<double>& b) {
    rest_rhs_.assign(s_.boundary_before(s_.stages.size()) + s_.border_nodes.size(), 0.0);
    eliminated_.resize(stages_.size());
    for (std::size_t k = s_.stages.size() + 1; k-- > 0;) {
      std::size_t stage = k == 0 ? s_.stages.size() : k - 1;
      const StageFactors& f = stages_[stage];
      incoming_[stage] = rest_rhs_;
      x_.assign(f.n, 0.0);
      if (k == 0) forward_border(b);
      else if (f.in_lanes) forward_condensed(stage);
      else forward_stage(stage, b);
      permute(f);
      front_of(f).forward(y_.data());
      eliminated_[stage].assign(y_.begin(), y_.begin() + static_cast<std::ptrdiff_t>(f.pivots));
      rest_rhs_.assign(y_.begin() + static_cast<std::ptrdiff_t>(f.pivots), y_.end());
    }
  }
  void permute(const StageFactors& f) {
    y_.resize(f.n);
    for (std::size_t i = 0; i < f.n; ++i) y_[i] = x_[static_cast<std::size_t>(orders_[f.order + i])];
  }
  void forward_border(const std::vector<double>& b) {
    std::size_t d = stages_.back().taken, size = s_.border_nodes.size();
    for (std::size_t i = 0; i < size; ++i) x_[i] = b[static_cast<std::size_t>(s_.border_nodes[i])] + rest_rhs_[d + i];
    for (std::size_t i = 0; i < d; ++i) x_[size + i] = rest_rhs_[i];
  }
  void forward_stage(std::size_t stage, const std::vector<double>& b) {
    const ChainStage& of = s_.stages[stage];
    std::size_t own = of.own.size(), d = stages_[stage].taken, B = of.boundary.size();
    for (std::size_t i = 0; i < own; ++i) x_[i] = b[static_cast<std::size_t>(of.own[i])];
    for (std::size_t i = 0; i < d; ++i) x_[own + i] = rest_rhs_[i];
    for (std::size_t i = 0; i < B; ++i) x_[static_cast<std::size_t>(of.boundary[i])] += rest_rhs_[d + i];
    std::size_t to = own + d + s_.boundary_before(stage);
    for (std::size_t i = 0; i < s_.border_nodes.size(); ++i) x_[to + i] += rest_rhs_[d + B + i];
  }
  void forward_condensed(std::size_t stage) {
    const StageKind& kind = *group_of(stage).kind;
    auto g = static_cast<std::size_t>(groups_.group_of[stage]), lane = static_cast<std::size_t>(groups_.lane_of[stage]);
    const StageFactors& f = stages_[stage];
    std::size_t d = f.taken, B = kind.boundary.size(), size = s_.border_nodes.size(), R = d + B + size;
    const double* P = numbers_.data() + f.rest;
    for (std::size_t b = 0; b < B; ++b) {
      if (kind.boundary[b].row != 0) continue;
      double z0 = factors_[g].z0[static_cast<std::size_t>(kind.boundary[b].col)][lane];
      for (std::size_t i = 0; i < R; ++i) rest_rhs_[i] -= P[(d + b) * R + i] * z0;
    }
    std::size_t M = kind.M(), free = kind.free.size();
    const GroupFactors& of = factors_[g];
    for (std::size_t c = 0; c < M; ++c) x_[place_of_w(kind, d, c)] += rhs_[g].w[c][lane];
    for (std::size_t b = 0; b < B; ++b) {
      auto index = static_cast<std::size_t>(kind.boundary[b].col);
      double p = rest_rhs_[d + b];
      if (kind.boundary[b].row == 1) x_[index] += p;
      else
        for (std::size_t c = 0; c < M; ++c) x_[place_of_w(kind, d, c)] += of.Z[index * M + c][lane] * p;
    }
    for (std::size_t i = 0; i < d; ++i) x_[free + i] += rest_rhs_[i];
    std::size_t to = free + d + kind.before;
    for (std::size_t i = 0; i < size; ++i) x_[to + i] += rest_rhs_[d + B + i];
  }

  void backward() {
    for (std::size_t k = 0; k <= s_.stages.size(); ++k) {
      std::size_t stage = k == 0 ? s_.stages.size() : k - 1;
      const StageFactors& f = stages_[stage];
      y_.assign(f.n, 0.0);
      std::copy(eliminated_[stage].begin(), eliminated_[stage].end(), y_.begin());
      for (std::size_t i = f.pivots; i < f.n; ++i)
        y_[i] = solution_[static_cast<std::size_t>(node_at(stage, static_cast<std::size_t>(orders_[f.order + i])))];
      front_of(f).backward(y_.data());
      for (std::size_t i = 0; i < f.pivots; ++i)
        solution_[static_cast<std::size_t>(node_at(stage, static_cast<std::size_t>(orders_[f.order + i])))] = y_[i];
      if (f.in_lanes) backward_condensed(stage);
    }
  }

  /// The solution's w, the boundary, and what the next stage adds to the gradient by the boundary.
  void backward_condensed(std::size_t stage) {
    const StageKind& kind = *group_of(stage).kind;
    auto g = static_cast<std::size_t>(groups_.group_of[stage]), lane = static_cast<std::size_t>(groups_.lane_of[stage]);
    const StageFactors& f = stages_[stage];
    const GroupFactors& of = factors_[g];
    GroupVector& rhs = rhs_[g];
    std::size_t M = kind.M(), d = f.taken, B = kind.boundary.size(), size = s_.border_nodes.size(), R = d + B + size;
    for (std::size_t c = 0; c < M; ++c)
      rhs.w[c][lane] = solution_[static_cast<std::size_t>(node_at(stage, place_of_w(kind, d, c)))];
    rest_x_.assign(R, 0.0);
    for (std::size_t i = 0; i < d; ++i) rest_x_[i] = solution_[static_cast<std::size_t>(nodes_[f.taken_nodes + i])];
    for (std::size_t i = 0; i < size; ++i) rest_x_[d + B + i] = solution_[static_cast<std::size_t>(s_.border_nodes[i])];
    for (std::size_t b = 0; b < B; ++b) {
      auto index = static_cast<std::size_t>(kind.boundary[b].col);
      double value = kind.boundary[b].row == 1 ? rhs.w[index][lane] : of.z0[index][lane];
      for (std::size_t c = 0; c < M && kind.boundary[b].row == 0; ++c) value += of.Z[index * M + c][lane] * rhs.w[c][lane];
      rest_x_[d + b] = value;
      const ChainStage& at = s_.stages[stage];
      solution_[static_cast<std::size_t>(at.own[static_cast<std::size_t>(at.boundary[b])])] = value;
    }
    const double* P = numbers_.data() + f.rest;
    for (std::size_t b = 0; b < B; ++b) {
      if (kind.boundary[b].row != 0) continue;
      double add = incoming_[stage][d + b];
      for (std::size_t i = 0; i < R; ++i) add -= P[(d + b) * R + i] * rest_x_[i];
      rhs.z[static_cast<std::size_t>(kind.boundary[b].col)][lane] += add;
    }
  }

  void expand_all() {
    for (std::size_t g = 0; g < groups_.groups.size(); ++g) {
      const StageGroup& group = groups_.groups[g];
      const StageKind& kind = *group.kind;
      if (!uses_lanes(group)) continue;
      GroupVector& x = solutions_[g];
      x.w = rhs_[g].w;
      expand_group(kind, factors_[g], rhs_[g], x, work_);
      for (std::size_t l = 0; l < group.stages.size(); ++l) {
        if (!stages_[group.stages[l]].in_lanes) continue;
        const std::vector<std::int32_t>& own = s_.stages[group.stages[l]].own;
        put(kind.dependent, own, x.z, l);
        put(kind.equations, own, x.equations, l);
        put(kind.soft, own, x.soft, l);
      }
    }
  }
  void put(const std::vector<std::int32_t>& positions, const std::vector<std::int32_t>& own, const LaneVector& from,
           std::size_t lane) {
    for (std::size_t k = 0; k < positions.size(); ++k)
      solution_[static_cast<std::size_t>(own[static_cast<std::size_t>(positions[k])])] = from[k][lane];
  }

  ChainStructure s_;
  StageGroups groups_;
  std::vector<std::int32_t> hessian_row_, hessian_col_, jacobian_row_, jacobian_col_;
  std::vector<double> values_;
  std::vector<GroupFactors> factors_;
  std::vector<GroupVector> rhs_, solutions_;
  LaneVector work_;
  std::vector<StageFactors> stages_;  // the border last
  Front front_;
  std::vector<double> numbers_;
  std::vector<std::uint8_t> pairs_;
  std::vector<std::int32_t> orders_, nodes_;
  Counts counts_;
  std::vector<double> border_scale_;  // the least that a front gave
  // of the assembly
  std::vector<std::size_t> place_;
  std::vector<double> T_, by_w_, columns_, square_, below_;
  // of solves
  std::vector<std::vector<double>> incoming_, eliminated_;
  std::vector<double> rhs_copy_, solution_, best_, residual_vector_, correction_rhs_, size_, rest_rhs_, x_, y_, rest_x_;
};

}  // namespace

std::unique_ptr<Chain> Chain::analyse(const ChainShape& shape) {
  std::optional<ChainStructure> structure = find_structure(shape);
  if (!structure) return nullptr;
  return std::make_unique<ChainFactors>(std::move(*structure), shape);
}

}  // namespace bolza::kkt
