// SPDX-License-Identifier: Apache-2.0
#include "runtime/kkt/lanes.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "runtime/kkt/processors.h"

namespace bolza::kkt {
namespace {

constexpr double least_pivot = 1e-4;    // of the largest of its column in the same lane
constexpr double good_pivot = 0.1;      // the same: taken without a look at the others
constexpr double least_column = 1e-11;  // of the rows' largest entries: less is no pivot

// Vectors go by reference: as arguments or results they would have another ABI on every processor.
/// most := max(most, |v| scale)
[[gnu::always_inline]] inline void enlarge(Lanes& most, const Lanes& v, const Lanes& scale) {
  Lanes size = (v < 0 ? -v : v) * scale;
  most = size > most ? size : most;
}
[[gnu::always_inline]] inline double least_of(const Lanes& v) {
  double least = v[0];
  for (std::size_t l = 1; l < lanes; ++l) least = v[l] < least ? v[l] : least;
  return least;
}
[[gnu::always_inline]] inline bool any_of(const Lanes& v) {
  long long any = 0;
  auto is = v != Lanes{};
  for (std::size_t l = 0; l < lanes; ++l) any |= is[l];
  return any != 0;
}
[[gnu::always_inline]] inline void gather(const double* values, const std::int32_t* source, Lanes& v) {
  for (std::size_t l = 0; l < lanes; ++l) v[l] = values[source[l]];
}
[[gnu::always_inline]] inline void subtract(Lanes* __restrict y, const Lanes& a, const Lanes* __restrict x,
                                            std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) y[i] -= a * x[i];
}

/// Where the values of a group stand: see StageKind::values.
struct Values {
  const Lanes *zz, *zw, *ww, *soft_z, *soft_w, *soft;
  Values(const StageKind& kind, const LaneVector& all)
      : zz(all.data()),
        zw(zz + kind.zz.size()),
        ww(zw + kind.zw.size()),
        soft_z(ww + kind.ww.size()),
        soft_w(soft_z + kind.soft_z.size()),
        soft(soft_w + kind.soft_w.size()) {}
};

class GroupKernel {
 public:
  [[gnu::always_inline]] GroupKernel(const StageKind& kind, GroupFactors& factors)
      : kind_(kind),
        f_(factors),
        K_(kind.K),
        M_(kind.M()) {}

  [[gnu::always_inline]] void load(const StageGroup& group, const double* values) {
    std::fill(f_.A.begin(), f_.A.end(), Lanes{});
    std::fill(f_.Z.begin(), f_.Z.end(), Lanes{});
    const std::int32_t* source = group.sources.data();
    Lanes v{};
    for (const LanePlace& p : kind_.A) {
      gather(values, source, v);
      f_.A[static_cast<std::size_t>(p.row) * K_ + static_cast<std::size_t>(p.col)] += v;
      source += lanes;
    }
    for (const LanePlace& p : kind_.F) {
      gather(values, source, v);
      f_.Z[static_cast<std::size_t>(p.row) * M_ + static_cast<std::size_t>(p.col)] -= v;
      source += lanes;
    }
    for (Lanes& value : f_.values) {
      gather(values, source, value);
      source += lanes;
    }
  }

  /// LU with row exchanges that all lanes share.
  [[gnu::always_inline]] void factor(LaneVector& work) {
    Lanes* scale = work.data();  // [K] of rows
    f_.bad = 0;
    for (std::size_t r = 0; r < K_; ++r) {
      Lanes most{}, one = Lanes{} + 1.0;
      for (std::size_t c = 0; c < K_; ++c) enlarge(most, f_.A[r * K_ + c], one);
      scale[r] = 1.0 / most;
    }
    for (std::size_t k = 0; k < K_; ++k) {
      exchange(k, scale);
      Lanes* pivot = f_.A.data() + k * K_;
      pivot[k] = 1.0 / pivot[k];
      Lanes inverse = pivot[k];
      for (std::size_t r = k + 1; r < K_; ++r) {
        Lanes* row = f_.A.data() + r * K_;
        if (!any_of(row[k])) continue;
        row[k] *= inverse;
        Lanes l = row[k];
        subtract(row + k + 1, l, pivot + k + 1, K_ - k - 1);
        subtract(f_.Z.data() + r * M_, l, f_.Z.data() + k * M_, M_);
      }
    }
    for (std::size_t k = K_; k-- > 0;) {
      Lanes* z = f_.Z.data() + k * M_;
      const Lanes* row = f_.A.data() + k * K_;
      for (std::size_t c = k + 1; c < K_; ++c)
        if (any_of(row[c])) subtract(z, row[c], f_.Z.data() + c * M_, M_);
      for (std::size_t j = 0; j < M_; ++j) z[j] *= row[k];
    }
  }

  /// W = [Z; I]' H [Z; I] and the soft rows' squares.
  [[gnu::always_inline]] void condense(LaneVector& work) {
    Values v(kind_, f_.values);
    std::fill(f_.W.begin(), f_.W.end(), Lanes{});
    Lanes* T = work.data();  // [K × M]
    std::fill(T, T + K_ * M_, Lanes{});
    for (std::size_t e = 0; e < kind_.zz.size(); ++e) {
      auto i = static_cast<std::size_t>(kind_.zz[e].row), j = static_cast<std::size_t>(kind_.zz[e].col);
      add(T + i * M_, v.zz[e], f_.Z.data() + j * M_);
      if (i != j) add(T + j * M_, v.zz[e], f_.Z.data() + i * M_);
    }
    for (std::size_t i = 0; i < K_; ++i)
      for (std::size_t c = 0; c < M_; ++c) {
        Lanes z = f_.Z[i * M_ + c];
        Lanes* __restrict w = f_.W.data() + c * M_;
        const Lanes* __restrict t = T + i * M_;
        for (std::size_t d = 0; d <= c; ++d) w[d] += z * t[d];
      }
    for (std::size_t e = 0; e < kind_.zw.size(); ++e) {
      auto i = static_cast<std::size_t>(kind_.zw[e].row), col = static_cast<std::size_t>(kind_.zw[e].col);
      const Lanes* z = f_.Z.data() + i * M_;
      for (std::size_t d = 0; d <= col; ++d) f_.W[col * M_ + d] += v.zw[e] * z[d];
      for (std::size_t c = col; c < M_; ++c) f_.W[c * M_ + col] += v.zw[e] * z[c];
    }
    for (std::size_t e = 0; e < kind_.ww.size(); ++e)
      f_.W[static_cast<std::size_t>(kind_.ww[e].row) * M_ + static_cast<std::size_t>(kind_.ww[e].col)] += v.ww[e];
    add_soft(v, T);
  }

  [[gnu::always_inline]] void condense_rhs(GroupVector& rhs, LaneVector& work) {
    Values v(kind_, f_.values);
    Lanes* z0 = f_.z0.data();
    for (std::size_t k = 0; k < K_; ++k) {
      Lanes sum = rhs.equations[static_cast<std::size_t>(f_.row[k])];
      const Lanes* row = f_.A.data() + k * K_;
      for (std::size_t c = 0; c < k; ++c) sum -= row[c] * z0[c];
      z0[k] = sum;
    }
    for (std::size_t k = K_; k-- > 0;) {
      Lanes sum = z0[k];
      const Lanes* row = f_.A.data() + k * K_;
      for (std::size_t c = k + 1; c < K_; ++c) sum -= row[c] * z0[c];
      z0[k] = sum * row[k];
    }
    Lanes* g = work.data();  // [K] of z, without z0
    Lanes* s = g + K_;       // [soft]
    std::copy(rhs.z.begin(), rhs.z.end(), g);
    add_zz(v, z0, g, -1);
    for (std::size_t e = 0; e < kind_.zw.size(); ++e)
      rhs.w[static_cast<std::size_t>(kind_.zw[e].col)] -= v.zw[e] * z0[static_cast<std::size_t>(kind_.zw[e].row)];
    std::copy(rhs.soft.begin(), rhs.soft.end(), s);
    for (std::size_t e = 0; e < kind_.soft_z.size(); ++e)
      s[kind_.soft_z[e].row] -= v.soft_z[e] * z0[static_cast<std::size_t>(kind_.soft_z[e].col)];
    for (std::size_t r = 0; r < kind_.soft.size(); ++r) s[r] /= -v.soft[r];
    for (std::size_t e = 0; e < kind_.soft_z.size(); ++e) g[kind_.soft_z[e].col] += v.soft_z[e] * s[kind_.soft_z[e].row];
    for (std::size_t e = 0; e < kind_.soft_w.size(); ++e)
      rhs.w[static_cast<std::size_t>(kind_.soft_w[e].col)] += v.soft_w[e] * s[kind_.soft_w[e].row];
    for (std::size_t i = 0; i < K_; ++i) {
      Lanes by = g[i];
      const Lanes* z = f_.Z.data() + i * M_;
      for (std::size_t c = 0; c < M_; ++c) rhs.w[c] += z[c] * by;
    }
  }

 private:
  [[gnu::always_inline]] void add(Lanes* __restrict y, const Lanes& a, const Lanes* __restrict x) const {
    for (std::size_t j = 0; j < M_; ++j) y[j] += a * x[j];
  }
  /// y += sign H_zz x
  [[gnu::always_inline]] void add_zz(const Values& v, const Lanes* x, Lanes* y, double sign) const {
    for (std::size_t e = 0; e < kind_.zz.size(); ++e) {
      auto i = kind_.zz[e].row, j = kind_.zz[e].col;
      y[i] += sign * v.zz[e] * x[j];
      if (i != j) y[j] += sign * v.zz[e] * x[i];
    }
  }

  /// The row that serves the lane where it serves least.
  [[gnu::always_inline]] void exchange(std::size_t k, Lanes* scale) {
    Lanes most{};
    for (std::size_t r = k; r < K_; ++r) enlarge(most, f_.A[r * K_ + k], scale[r]);
    Lanes share = 1.0 / most, offset{};  // lanes that are bad have no say
    for (std::size_t l = 0; l < lanes; ++l) {
      if (!(most[l] >= least_column)) f_.bad |= 1U << l;
      if (!(f_.bad >> l & 1U)) continue;
      share[l] = 0;
      offset[l] = 1;
    }
    std::size_t best = k;
    double of_best = -1;
    for (std::size_t r = k; r < K_; ++r) {
      Lanes of_row{};
      enlarge(of_row, f_.A[r * K_ + k], scale[r]);
      of_row = of_row * share + offset;
      double least = least_of(of_row);
      if (!(least > of_best)) continue;
      of_best = least;
      best = r;
      if (least >= good_pivot) break;
    }
    if (best != k) {
      std::swap_ranges(f_.A.data() + best * K_, f_.A.data() + best * K_ + K_, f_.A.data() + k * K_);
      std::swap_ranges(f_.Z.data() + best * M_, f_.Z.data() + best * M_ + M_, f_.Z.data() + k * M_);
      std::swap(scale[best], scale[k]);
      std::swap(f_.row[best], f_.row[k]);
    }
    Lanes& pivot = f_.A[k * K_ + k];
    for (std::size_t l = 0; l < lanes; ++l)
      if ((f_.bad >> l & 1U) || !(std::fabs(pivot[l]) * scale[k][l] * share[l] >= least_pivot)) {
        f_.bad |= 1U << l;
        pivot[l] = 1;
      }
  }

  [[gnu::always_inline]] void add_soft(const Values& v, Lanes* T) {
    std::size_t soft = kind_.soft.size();
    if (soft == 0) return;
    std::fill(T, T + soft * M_, Lanes{});
    for (std::size_t e = 0; e < kind_.soft_z.size(); ++e)
      add(T + static_cast<std::size_t>(kind_.soft_z[e].row) * M_, v.soft_z[e],
          f_.Z.data() + static_cast<std::size_t>(kind_.soft_z[e].col) * M_);
    for (std::size_t e = 0; e < kind_.soft_w.size(); ++e)
      T[static_cast<std::size_t>(kind_.soft_w[e].row) * M_ + static_cast<std::size_t>(kind_.soft_w[e].col)] += v.soft_w[e];
    for (std::size_t r = 0; r < soft; ++r) {
      Lanes weight = -1.0 / v.soft[r];
      const Lanes* __restrict t = T + r * M_;
      for (std::size_t c = 0; c < M_; ++c) {
        Lanes a = weight * t[c];
        Lanes* __restrict w = f_.W.data() + c * M_;
        for (std::size_t d = 0; d <= c; ++d) w[d] += a * t[d];
      }
    }
  }

  const StageKind& kind_;
  GroupFactors& f_;
  std::size_t K_, M_;
};

[[gnu::always_inline]] inline void factor_body(const StageGroup& group, const double* values, GroupFactors& factors,
                                               LaneVector& work) {
  GroupKernel kernel(*group.kind, factors);
  kernel.load(group, values);
  kernel.factor(work);
  kernel.condense(work);
}

[[gnu::always_inline]] inline void expand_body(const StageKind& kind, const GroupFactors& f, const GroupVector& rhs,
                                               GroupVector& x, LaneVector& work) {
  Values v(kind, f.values);
  std::size_t K = kind.K, M = kind.M();
  for (std::size_t i = 0; i < K; ++i) {
    Lanes sum = f.z0[i];
    const Lanes* z = f.Z.data() + i * M;
    for (std::size_t c = 0; c < M; ++c) sum += z[c] * x.w[c];
    x.z[i] = sum;
  }
  for (std::size_t r = 0; r < kind.soft.size(); ++r) x.soft[r] = -rhs.soft[r];
  for (std::size_t e = 0; e < kind.soft_z.size(); ++e)
    x.soft[static_cast<std::size_t>(kind.soft_z[e].row)] += v.soft_z[e] * x.z[static_cast<std::size_t>(kind.soft_z[e].col)];
  for (std::size_t e = 0; e < kind.soft_w.size(); ++e)
    x.soft[static_cast<std::size_t>(kind.soft_w[e].row)] += v.soft_w[e] * x.w[static_cast<std::size_t>(kind.soft_w[e].col)];
  for (std::size_t r = 0; r < kind.soft.size(); ++r) x.soft[r] /= -v.soft[r];
  Lanes* t = work.data();  // [K] A' λ = t
  std::copy(rhs.z.begin(), rhs.z.end(), t);
  for (std::size_t e = 0; e < kind.zz.size(); ++e) {
    auto i = static_cast<std::size_t>(kind.zz[e].row), j = static_cast<std::size_t>(kind.zz[e].col);
    t[i] -= v.zz[e] * x.z[j];
    if (i != j) t[j] -= v.zz[e] * x.z[i];
  }
  for (std::size_t e = 0; e < kind.zw.size(); ++e)
    t[kind.zw[e].row] -= v.zw[e] * x.w[static_cast<std::size_t>(kind.zw[e].col)];
  for (std::size_t e = 0; e < kind.soft_z.size(); ++e)
    t[kind.soft_z[e].col] -= v.soft_z[e] * x.soft[static_cast<std::size_t>(kind.soft_z[e].row)];
  for (std::size_t k = 0; k < K; ++k) {
    const Lanes* row = f.A.data() + k * K;
    t[k] *= row[k];
    Lanes a = t[k];
    for (std::size_t c = k + 1; c < K; ++c) t[c] -= row[c] * a;
  }
  for (std::size_t k = K; k-- > 0;) {
    const Lanes* row = f.A.data() + k * K;
    Lanes a = t[k];
    for (std::size_t c = 0; c < k; ++c) t[c] -= row[c] * a;
    x.equations[static_cast<std::size_t>(f.row[k])] = a;
  }
}

BOLZA_TARGET_AVX512 void factor_512(const StageGroup& g, const double* v, GroupFactors& f, LaneVector& w) {
  factor_body(g, v, f, w);
}
BOLZA_TARGET_AVX2 void factor_256(const StageGroup& g, const double* v, GroupFactors& f, LaneVector& w) {
  factor_body(g, v, f, w);
}
BOLZA_TARGET_AVX512 void condense_512(const StageKind& kind, GroupFactors& f, GroupVector& r, LaneVector& w) {
  GroupKernel(kind, f).condense_rhs(r, w);
}
BOLZA_TARGET_AVX2 void condense_256(const StageKind& kind, GroupFactors& f, GroupVector& r, LaneVector& w) {
  GroupKernel(kind, f).condense_rhs(r, w);
}
BOLZA_TARGET_AVX512 void expand_512(const StageKind& kind, const GroupFactors& f, const GroupVector& r, GroupVector& x,
                                    LaneVector& w) {
  expand_body(kind, f, r, x, w);
}
BOLZA_TARGET_AVX2 void expand_256(const StageKind& kind, const GroupFactors& f, const GroupVector& r, GroupVector& x,
                                  LaneVector& w) {
  expand_body(kind, f, r, x, w);
}

}  // namespace

GroupFactors::GroupFactors(const StageKind& kind)
    : A(kind.K * kind.K),
      Z(kind.K * kind.M()),
      W(kind.M() * kind.M()),
      values(kind.values() - kind.A.size() - kind.F.size()),
      z0(kind.K),
      row(kind.K) {}

void factor_group(const StageGroup& group, const double* values, GroupFactors& factors, LaneVector& work) {
  for (std::size_t k = 0; k < factors.row.size(); ++k) factors.row[k] = static_cast<std::int32_t>(k);
  switch (this_processor()) {
    case Processor::avx512:
      return factor_512(group, values, factors, work);
    case Processor::avx2:
      return factor_256(group, values, factors, work);
    case Processor::any:
      return factor_body(group, values, factors, work);
  }
}

void condense_group(const StageKind& kind, GroupFactors& factors, GroupVector& rhs, LaneVector& work) {
  switch (this_processor()) {
    case Processor::avx512:
      return condense_512(kind, factors, rhs, work);
    case Processor::avx2:
      return condense_256(kind, factors, rhs, work);
    case Processor::any:
      return GroupKernel(kind, factors).condense_rhs(rhs, work);
  }
}

void expand_group(const StageKind& kind, const GroupFactors& factors, const GroupVector& rhs, GroupVector& solution,
                  LaneVector& work) {
  switch (this_processor()) {
    case Processor::avx512:
      return expand_512(kind, factors, rhs, solution, work);
    case Processor::avx2:
      return expand_256(kind, factors, rhs, solution, work);
    case Processor::any:
      return expand_body(kind, factors, rhs, solution, work);
  }
}

}  // namespace bolza::kkt
