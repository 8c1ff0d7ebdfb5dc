// SPDX-License-Identifier: Apache-2.0
/* A plain C program that calls what `bolza compile examples/van_der_pol.mop` wrote and compares with the same formulas by hand. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bolza.h"

const bolza_problem *bolza_VanDerPol(void);

enum { points = 3, ld = 8 };

/* Every group of one kind; out is [n_out x ld]. */
static int evaluate(const bolza_function *f, bolza_kind kind, const double *point, const double *shared, const double *weight, double *out) {
  const bolza_kernels *k = f->kernels[kind];
  int status = 0;
  if (!k) return -1;
  for (size_t i = 0; i < k->n_zero; ++i) memset(out + (size_t)k->zero[i] * ld, 0, ld * sizeof(double));
  for (size_t g = 0; g < k->n_groups; ++g) {
    const bolza_group *group = &k->groups[g];
    bolza_call call;
    memset(&call, 0, sizeof call);
    call.n = points, call.ld = ld, call.point = point, call.shared = shared, call.datum = group->datum;
    call.index = group->index, call.instances = group->instances, call.last = group->instances;
    call.weight = weight, call.weight_index = group->weight_index, call.out = out, call.out_index = group->out_index;
    status |= group->points(&call);
  }
  return status;
}

static double *rows(size_t n) {
  double *p = aligned_alloc(64, (n ? n : 1) * ld * sizeof(double));
  memset(p, 0, (n ? n : 1) * ld * sizeof(double));
  return p;
}

static int wrong(const char *what, double seen, double expected) {
  if (fabs(seen - expected) <= 4e-16 * (1 + fabs(expected))) return 0;
  printf("%s: %.17g, by hand %.17g\n", what, seen, expected);
  return 1;
}

/* rows of `point`: 0 t, 1 x1, 2 x2, 3 u; rates: x1', x2', integrand */
static double jacobian_by_hand(int row, int col, double x1, double x2, double u) {
  double table[3][4] = {{0, 1 - x2 * x2, -2 * x1 * x2 - 1, 1}, {0, 1, 0, 0}, {0, 2 * x1, 2 * x2, 2 * u}};
  return table[row][col];
}

static double hessian_by_hand(int row, int col, const double *w, double x1, double x2) {
  if (row == 1 && col == 1) return 2 * w[2];
  if (row == 2 && col == 1) return -2 * x2 * w[0];
  if (row == 2 && col == 2) return -2 * x1 * w[0] + 2 * w[2];
  if (row == 3 && col == 3) return 2 * w[2];
  return 0;
}

int main(void) {
  const bolza_problem *problem = bolza_VanDerPol();
  const bolza_model *model = problem->models[0];
  const bolza_function *f = model->rates;
  double *point = rows(f->n_point), *weight = rows(f->n_rows), *out;
  int errors = 0;
  if (problem->version != BOLZA_ABI_VERSION || model->n_x != 2 || model->n_u != 1 || f->n_rows != 3) return printf("wrong shape\n"), 1;
  for (int i = 0; i < points; ++i) {
    point[1 * ld + i] = 0.3 + i, point[2 * ld + i] = -0.7 + 0.5 * i, point[3 * ld + i] = 0.25 * i;
    for (int r = 0; r < 3; ++r) weight[r * ld + i] = 0.5 + r + 0.1 * i;
  }
  out = rows(f->kernels[BOLZA_JACOBIAN]->n_out);
  errors += evaluate(f, BOLZA_JACOBIAN, point, model->shared_values, weight, out) != 0;
  for (int i = 0; i < points; ++i) {
    double x1 = point[ld + i], x2 = point[2 * ld + i], u = point[3 * ld + i];
    errors += wrong("x1'", out[i], (1 - x2 * x2) * x1 - x2 + u);
    errors += wrong("x2'", out[ld + i], x1);
    errors += wrong("integrand", out[2 * ld + i], x1 * x1 + x2 * x2 + u * u);
    for (size_t k = 0; k < f->jac_nnz; ++k)
      errors += wrong("Jacobian", out[(3 + k) * ld + i], jacobian_by_hand(f->jac_row[k], f->jac_col[k], x1, x2, u));
  }
  free(out);
  out = rows(f->kernels[BOLZA_HESSIAN]->n_out);
  errors += evaluate(f, BOLZA_HESSIAN, point, model->shared_values, weight, out) != 0;
  for (int i = 0; i < points; ++i) {
    double w[3] = {weight[i], weight[ld + i], weight[2 * ld + i]};
    for (size_t k = 0; k < f->hess_nnz; ++k)
      errors += wrong("Hessian", out[k * ld + i], hessian_by_hand(f->hess_row[k], f->hess_col[k], w, point[ld + i], point[2 * ld + i]));
  }
  printf("%zu Jacobian and %zu Hessian entries at %d points: %d differ\n", f->jac_nnz, f->hess_nnz, points, errors);
  return errors != 0;
}
