// SPDX-License-Identifier: Apache-2.0
/* Simulates van der Pol's oscillator with the compiled kernels of a model, by the classical Runge-Kutta method.
 *
 *   bolza compile examples/van_der_pol.mop -o vdp
 *   cc examples/c/van_der_pol.c vdp.o -I runtime/abi -lmvec -lm -o vdp && ./vdp
 *
 * One point at a time: `n` is 1, and every row is one block of 64 bytes. */
#include <bolza.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const bolza_problem* bolza_VanDerPol(void);

enum { ld = 8 }; /* distance between rows: n padded to 8 doubles */

static double* rows(size_t n) {
  size_t bytes = (n ? n : 1) * ld * sizeof(double);
  double* memory = aligned_alloc(64, bytes);
  if (!memory) exit(2);
  return memset(memory, 0, bytes);
}

/* Runs all groups of one kind of a function; scratch grows as kernels ask for it. */
static int evaluate(const bolza_function* f, bolza_kind kind, const double* point, const double* shared,
                    const double* weight, double* out) {
  static double* scratch;
  static size_t scratch_size;
  const bolza_kernels* kernels = f->kernels[kind];
  int status = 0;
  if (!kernels) return -1;
  for (size_t i = 0; i < kernels->n_zero; ++i) memset(out + (size_t)kernels->zero[i] * ld, 0, ld * sizeof(double));
  for (size_t g = 0; g < kernels->n_groups; ++g) {
    const bolza_group* group = &kernels->groups[g];
    bolza_kernel kernel = group->single ? group->single : group->points;
    size_t wanted = group->scratch;
    for (int done = 0; !done;) {
      if (wanted > scratch_size) {
        scratch = realloc(scratch, wanted * sizeof(double));
        if (!scratch) exit(2);
        scratch_size = wanted;
      }
      bolza_call call = {.n = 1,
                         .ld = ld,
                         .point = point,
                         .shared = shared,
                         .datum = group->datum,
                         .index = group->index,
                         .instances = group->instances,
                         .last = group->instances,
                         .weight = weight,
                         .weight_index = group->weight_index,
                         .out = out,
                         .out_index = group->out_index,
                         .scratch = scratch,
                         .scratch_size = scratch_size};
      int now = kernel(&call);
      done = !(now & BOLZA_SCRATCH);
      if (done) status |= now;
      else wanted = 2 * scratch_size + 1024;
    }
  }
  return status;
}

/* The rates of the model at (t, x, u) into `rate`. Rows of `point`: time, then x, z, u. */
static void rates(const bolza_model* model, double t, const double* x, double u, double* point, double* out, double* rate) {
  point[0] = t;
  for (size_t i = 0; i < model->n_x; ++i) point[(1 + i) * ld] = x[i];
  point[(1 + model->n_x + model->n_z) * ld] = u;
  if (evaluate(model->rates, BOLZA_VALUE, point, model->shared_values, NULL, out) != 0) exit(1);
  for (size_t i = 0; i < model->n_x; ++i) rate[i] = out[i * ld];
}

int main(void) {
  const bolza_problem* problem = bolza_VanDerPol();
  const bolza_model* model = problem->models[0];
  if (problem->version != BOLZA_ABI_VERSION || model->n_x != 2 || model->n_z != 0 || model->n_u != 1) return 2;

  double *point = rows(model->rates->n_point), *out = rows(model->rates->kernels[BOLZA_JACOBIAN]->n_out);
  double x[2] = {model->x[0].start, model->x[1].start}, h = 0.001, u = 0;
  for (int step = 0; step < 5000; ++step) {
    double k[4][2], y[2], t = step * h;
    rates(model, t, x, u, point, out, k[0]);
    for (int i = 0; i < 2; ++i) y[i] = x[i] + h / 2 * k[0][i];
    rates(model, t + h / 2, y, u, point, out, k[1]);
    for (int i = 0; i < 2; ++i) y[i] = x[i] + h / 2 * k[1][i];
    rates(model, t + h / 2, y, u, point, out, k[2]);
    for (int i = 0; i < 2; ++i) y[i] = x[i] + h * k[2][i];
    rates(model, t + h, y, u, point, out, k[3]);
    for (int i = 0; i < 2; ++i) x[i] += h / 6 * (k[0][i] + 2 * k[1][i] + 2 * k[2][i] + k[3][i]);
  }
  printf("after 5 s: %s = %.6f, %s = %.6f\n", model->x[0].name, x[0], model->x[1].name, x[1]);

  /* The Jacobian at that point: values first, then an entry for each (row, column). */
  const bolza_function* f = model->rates;
  for (size_t i = 0; i < model->n_x; ++i) point[(1 + i) * ld] = x[i];
  if (evaluate(f, BOLZA_JACOBIAN, point, model->shared_values, NULL, out) != 0) return 1;
  for (size_t e = 0; e < f->jac_nnz; ++e)
    if (f->jac_row[e] < 2)
      printf("  row %d (%s) by point row %d: %.6f\n", f->jac_row[e], f->rows[f->jac_row[e]].name, f->jac_col[e],
             out[(f->n_rows + e) * ld]);
  free(point), free(out);
  return 0;
}
