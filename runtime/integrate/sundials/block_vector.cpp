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

/// Gives a serial vector the parts of `like`. Its content is from malloc, and N_VDestroy frees it.
N_Vector with_block(N_Vector v, const VectorWithBlock& like) {
  if (!v) return nullptr;
  auto* own = static_cast<VectorWithBlock*>(std::realloc(v->content, sizeof(VectorWithBlock)));
  expects(own != nullptr, "there is memory for a vector");
  own->n = like.n, own->m = like.m, own->tested = like.tested;
  v->content = own;
  return v;
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
  Vector v = make_vector(n * (1 + m), context);
  use_own_operations(v.get());
  N_Vector_Ops ops = v->ops;
  ops->nvclone = [](N_Vector v) { return with_block(N_VClone_Serial(v), parts(v)); };
  ops->nvcloneempty = [](N_Vector v) { return with_block(N_VCloneEmpty_Serial(v), parts(v)); };
  ops->nvwrmsnorm = largest_norm;
  ops->nvlinearcombination = combine_all, ops->nvscaleaddmulti = scale_and_add_all;
  ops->nvabs = [](N_Vector x, N_Vector z) { all(z) = all(x).abs(); };
  ops->nvinv = [](N_Vector x, N_Vector z) { all(z) = all(x).inverse(); };
  with_block(v.get(), {.n = n, .m = m, .tested = tested});
  return v;
}

}  // namespace bolza::integrate
