// SPDX-License-Identifier: Apache-2.0
/* Plain C on SUNDIALS with hand-written Jacobians: what `bolza simulate` is compared with. plain PROBLEM RTOL REPEATS prints
 * the shortest time of an integration in seconds, and an end value.
 *   roberts     CVODE BDF, dense, to 4e7
 *   brusselator 100 cells, 200 states, CVODE BDF, banded, to 10
 *   pendulum    x' = v, v' = -9.81 sin x, CVODE BDF, dense, to 100
 */
#include <cvodes/cvodes.h>
#include <math.h>
#include <nvector/nvector_serial.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sunlinsol/sunlinsol_band.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_band.h>
#include <sunmatrix/sunmatrix_dense.h>
#include <time.h>

enum { cells = 100 };

static int roberts(double t, N_Vector yv, N_Vector fv, void *user) {
  (void)t, (void)user;
  double *y = N_VGetArrayPointer(yv), *f = N_VGetArrayPointer(fv);
  double a = 0.04 * y[0], b = 1e4 * y[1] * y[2], c = 3e7 * (y[1] * y[1]);
  f[0] = b - a, f[1] = a - b - c, f[2] = c;
  return 0;
}
static int roberts_jacobian(double t, N_Vector yv, N_Vector fv, SUNMatrix J, void *user, N_Vector a, N_Vector b, N_Vector c) {
  (void)t, (void)fv, (void)user, (void)a, (void)b, (void)c;
  double *y = N_VGetArrayPointer(yv), *d = SUNDenseMatrix_Data(J);
  d[0] = -0.04, d[3] = 1e4 * y[2], d[6] = 1e4 * y[1];
  d[1] = 0.04, d[4] = -1e4 * y[2] - 6e7 * y[1], d[7] = -1e4 * y[1];
  d[2] = 0, d[5] = 6e7 * y[1], d[8] = 0;
  return 0;
}

static int pendulum(double t, N_Vector yv, N_Vector fv, void *user) {
  (void)t, (void)user;
  double *y = N_VGetArrayPointer(yv), *f = N_VGetArrayPointer(fv);
  f[0] = y[1], f[1] = -9.81 * sin(y[0]);
  return 0;
}
static int pendulum_jacobian(double t, N_Vector yv, N_Vector fv, SUNMatrix J, void *user, N_Vector a, N_Vector b, N_Vector c) {
  (void)t, (void)fv, (void)user, (void)a, (void)b, (void)c;
  double *y = N_VGetArrayPointer(yv), *d = SUNDenseMatrix_Data(J);
  d[0] = 0, d[2] = 1, d[1] = -9.81 * cos(y[0]), d[3] = 0;
  return 0;
}

/* u, v of a cell side by side; walls u = 1, v = 3; diffusion 1/50. */
static int brusselator(double t, N_Vector yv, N_Vector fv, void *user) {
  (void)t, (void)user;
  double *y = N_VGetArrayPointer(yv), *f = N_VGetArrayPointer(fv), d = 0.02 * (cells + 1.0) * (cells + 1.0);
  for (int i = 0; i < cells; ++i) {
    double u = y[2 * i], v = y[2 * i + 1], ul = i ? y[2 * i - 2] : 1, vl = i ? y[2 * i - 1] : 3;
    double ur = i + 1 < cells ? y[2 * i + 2] : 1, vr = i + 1 < cells ? y[2 * i + 3] : 3;
    f[2 * i] = 1 + u * u * v - 4 * u + d * (ul - 2 * u + ur);
    f[2 * i + 1] = 3 * u - u * u * v + d * (vl - 2 * v + vr);
  }
  return 0;
}
static int brusselator_jacobian(double t, N_Vector yv, N_Vector fv, SUNMatrix J, void *user, N_Vector a, N_Vector b, N_Vector c) {
  (void)t, (void)fv, (void)user, (void)a, (void)b, (void)c;
  double *y = N_VGetArrayPointer(yv), d = 0.02 * (cells + 1.0) * (cells + 1.0);
  for (int i = 0; i < cells; ++i) {
    double u = y[2 * i], v = y[2 * i + 1];
    SM_ELEMENT_B(J, 2 * i, 2 * i) = 2 * u * v - 4 - 2 * d, SM_ELEMENT_B(J, 2 * i, 2 * i + 1) = u * u;
    SM_ELEMENT_B(J, 2 * i + 1, 2 * i) = 3 - 2 * u * v, SM_ELEMENT_B(J, 2 * i + 1, 2 * i + 1) = -u * u - 2 * d;
    for (int k = 0; k < 2; ++k) {
      if (i) SM_ELEMENT_B(J, 2 * i + k, 2 * i + k - 2) = d;
      if (i + 1 < cells) SM_ELEMENT_B(J, 2 * i + k, 2 * i + k + 2) = d;
    }
  }
  return 0;
}

int main(int argc, char **argv) {
  if (argc < 4) return fprintf(stderr, "plain roberts|brusselator|pendulum RTOL REPEATS\n"), 2;
  int is_roberts = !strcmp(argv[1], "roberts"), is_band = !strcmp(argv[1], "brusselator");
  double rtol = atof(argv[2]), best = 1e300, end = is_roberts ? 4e7 : is_band ? 10 : 100, value = 0;
  long n = is_roberts ? 3 : is_band ? 2 * cells : 2, steps = 0;
  for (int repeat = atoi(argv[3]); repeat > 0; --repeat) {
    SUNContext context;
    SUNContext_Create(NULL, &context);
    N_Vector y = N_VNew_Serial(n, context), atol = N_VNew_Serial(n, context);
    double *v = N_VGetArrayPointer(y);
    N_VConst(0, y), N_VConst(rtol, atol);
    if (is_roberts) v[0] = 1, N_VGetArrayPointer(atol)[1] = 1e-5 * rtol;
    else if (!is_band) v[0] = 2;
    for (int i = 0; is_band && i < cells; ++i) v[2 * i] = 1 + sin(2 * M_PI * (i + 1) / (cells + 1)), v[2 * i + 1] = 3;
    struct timespec from, to;
    clock_gettime(CLOCK_MONOTONIC, &from);
    void *memory = CVodeCreate(CV_BDF, context);
    CVodeInit(memory, is_roberts ? roberts : is_band ? brusselator : pendulum, 0, y);
    CVodeSVtolerances(memory, rtol, atol);
    CVodeSetMaxNumSteps(memory, -1);
    SUNMatrix A = is_band ? SUNBandMatrix(n, 2, 2, context) : SUNDenseMatrix(n, n, context);
    SUNLinearSolver S = is_band ? SUNLinSol_Band(y, A, context) : SUNLinSol_Dense(y, A, context);
    CVodeSetLinearSolver(memory, S, A);
    CVodeSetJacFn(memory, is_roberts ? roberts_jacobian : is_band ? brusselator_jacobian : pendulum_jacobian);
    CVodeSetStopTime(memory, end);
    double t = 0;
    if (CVode(memory, end, y, &t, CV_NORMAL) < 0) return 1;
    clock_gettime(CLOCK_MONOTONIC, &to);
    double seconds = (double)(to.tv_sec - from.tv_sec) + 1e-9 * (double)(to.tv_nsec - from.tv_nsec);
    if (seconds < best) best = seconds;
    value = v[n - 1];
    CVodeGetNumSteps(memory, &steps);
    CVodeFree(&memory), SUNLinSolFree(S), SUNMatDestroy(A), N_VDestroy(y), N_VDestroy(atol), SUNContext_Free(&context);
  }
  printf("%.6g %.12g %ld\n", best, value, steps);
  return 0;
}
