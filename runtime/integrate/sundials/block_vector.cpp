#include "runtime/integrate/sundials/block_vector.h"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "base/expects.h"
#include "runtime/integrate/sundials/array_operations.h"

namespace bolza::integrate {
namespace {

using Numbers = Eigen::Map<Eigen::ArrayXd>;

/// Begins with what a serial vector has, so that its operations are those of one.
struct VectorWithBlock {
  _N_VectorContent_Serial serial;
  std::size_t n, m;
  bool tested;
};

const VectorWithBlock& parts(N_Vector v) { return *static_cast<const VectorWithBlock*>(v->content); }
Numbers all(N_Vector v) { return {NV_DATA_S(v), static_cast<Eigen::Index>(NV_LENGTH_S(v))}; }

N_Vector clone_unfilled(N_Vector like) {
  N_Vector v = N_VNewEmpty(like->sunctx);
  if (!v || N_VCopyOps(like, v) != 0) return nullptr;
  auto* own = static_cast<VectorWithBlock*>(std::malloc(sizeof(VectorWithBlock)));  // N_VDestroy frees it
  if (!own) return nullptr;
  *own = parts(like);
  own->serial.own_data = SUNFALSE, own->serial.data = nullptr;
  v->content = own;
  return v;
}

N_Vector clone_with_block(N_Vector like) {
  N_Vector v = clone_unfilled(like);
  if (!v) return nullptr;
  auto& serial = static_cast<VectorWithBlock*>(v->content)->serial;
  serial.data = static_cast<realtype*>(std::malloc(static_cast<std::size_t>(serial.length) * sizeof(realtype)));
  serial.own_data = SUNTRUE;
  return serial.data ? v : nullptr;
}

constexpr std::size_t columns_at_once = 8;  ///< columns whose squares are summed together

realtype largest_norm(N_Vector x, N_Vector weights) {
  const VectorWithBlock& c = parts(x);
  const double *v = NV_DATA_S(x), *w = NV_DATA_S(weights);
  double most = 0;
  for (std::size_t i = 0; i < c.n; ++i) most += v[i] * w[i] * v[i] * w[i];
  if (c.tested)
    for (std::size_t first = 0; first < c.m; first += columns_at_once) {
      std::size_t count = std::min(columns_at_once, c.m - first);
      double sums[columns_at_once] = {};
      for (std::size_t i = 0; i < c.n; ++i) {
        std::size_t at = c.n + i * c.m + first;
        for (std::size_t k = 0; k < count; ++k) sums[k] += v[at + k] * w[at + k] * v[at + k] * w[at + k];
      }
      for (std::size_t k = 0; k < count; ++k)
        if (!std::isnan(most) && !(sums[k] <= most)) most = sums[k];
    }
  return std::sqrt(most / static_cast<double>(c.n));
}

int combine_all(int count, realtype* a, N_Vector* X, N_Vector z) {
  all(z) = a[0] * all(X[0]);  // z may be X[0]
  for (int k = 1; k < count; ++k) all(z) += a[k] * all(X[k]);
  return 0;
}

int scale_and_add_all(int count, realtype* a, N_Vector x, N_Vector* Y, N_Vector* Z) {
  for (int k = 0; k < count; ++k) all(Z[k]) = a[k] * all(x) + all(Y[k]);
  return 0;
}

}  // namespace

Vector make_block_vector(std::size_t n, std::size_t m, bool tested, SUNContext context) {
  Vector like = make_vector(n * (1 + m), context);
  use_own_operations(like.get());
  N_Vector_Ops ops = like->ops;
  ops->nvclone = clone_with_block, ops->nvcloneempty = clone_unfilled;
  ops->nvwrmsnorm = largest_norm;
  ops->nvlinearcombination = combine_all, ops->nvscaleaddmulti = scale_and_add_all;
  ops->nvabs = [](N_Vector x, N_Vector z) { all(z) = all(x).abs(); };
  ops->nvinv = [](N_Vector x, N_Vector z) { all(z) = all(x).inverse(); };
  VectorWithBlock block{*static_cast<_N_VectorContent_Serial*>(like->content), n, m, tested};
  N_Vector v = N_VNewEmpty(context);
  expects(v != nullptr && N_VCopyOps(like.get(), v) == 0, "there is memory for a vector");
  v->content = &block;
  N_Vector own = clone_with_block(v);
  v->content = nullptr;
  N_VFreeEmpty(v);
  expects(own != nullptr, "there is memory for a vector");
  N_VConst(0, own);
  return Vector(own);
}

}  // namespace bolza::integrate
