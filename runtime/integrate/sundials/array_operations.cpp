// SPDX-License-Identifier: Apache-2.0
#include "runtime/integrate/sundials/array_operations.h"

#include <nvector/nvector_serial.h>

#include <Eigen/Dense>
#include <cmath>

namespace bolza::integrate {
namespace {

using Column = Eigen::Map<Eigen::ArrayXd>;

Column column(N_Vector v) { return {NV_DATA_S(v), static_cast<Eigen::Index>(NV_LENGTH_S(v))}; }

void linear_sum(realtype a, N_Vector x, realtype b, N_Vector y, N_Vector z) {
  if (a == 1) column(z) = column(x) + b * column(y);
  else if (b == 1) column(z) = a * column(x) + column(y);
  else column(z) = a * column(x) + b * column(y);
}

realtype norm(N_Vector x, N_Vector weight) {
  return std::sqrt((column(x) * column(weight)).square().sum() / static_cast<double>(NV_LENGTH_S(x)));
}

int linear_sums(int count, realtype a, N_Vector* X, realtype b, N_Vector* Y, N_Vector* Z) {
  for (int k = 0; k < count; ++k) linear_sum(a, X[k], b, Y[k], Z[k]);
  return 0;
}

int scale(int count, realtype* by, N_Vector* X, N_Vector* Z) {
  for (int k = 0; k < count; ++k) column(Z[k]) = by[k] * column(X[k]);
  return 0;
}

int norms(int count, N_Vector* X, N_Vector* W, realtype* out) {
  for (int k = 0; k < count; ++k) out[k] = norm(X[k], W[k]);
  return 0;
}

// Z[j][k] = a[j] X[k] + Y[j][k]
int scale_and_add(int count, int sums, realtype* a, N_Vector* X, N_Vector** Y, N_Vector** Z) {
  for (int j = 0; j < sums; ++j)
    for (int k = 0; k < count; ++k) column(Z[j][k]) = a[j] * column(X[k]) + column(Y[j][k]);
  return 0;
}

// Z[k] = sum of c[j] X[j][k]; Z may be X[0]
int combine(int count, int sums, realtype* c, N_Vector** X, N_Vector* Z) {
  for (int k = 0; k < count; ++k) {
    column(Z[k]) = c[0] * column(X[0][k]);
    for (int j = 1; j < sums; ++j) column(Z[k]) += c[j] * column(X[j][k]);
  }
  return 0;
}

}  // namespace

void use_own_operations(N_Vector vector) {
  N_Vector_Ops ops = vector->ops;
  ops->nvlinearsum = linear_sum;
  ops->nvwrmsnorm = norm;
  ops->nvlinearsumvectorarray = linear_sums;
  ops->nvscalevectorarray = scale;
  ops->nvwrmsnormvectorarray = norms;
  ops->nvscaleaddmultivectorarray = scale_and_add;
  ops->nvlinearcombinationvectorarray = combine;
}

}  // namespace bolza::integrate
