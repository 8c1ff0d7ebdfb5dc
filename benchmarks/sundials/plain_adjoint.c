// SPDX-License-Identifier: Apache-2.0
/* Plain C on CVODES with hand-written derivatives: what `bolza gradient` is compared with. plain_adjoint RTOL REPEATS prints the
 * shortest times in seconds of an integration and of one with its adjoint gradient, then dG/dp1, dG/dp2, dG/dp3.
 *   Robertson's kinetics to 4e7, G = the integral of y3; tolerances as `bolza gradient` chooses them.
 */
#include <cvodes/cvodes.h>
#include <math.h>
#include <nvector/nvector_serial.h>
#include <stdio.h>
#include <stdlib.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>
#include <time.h>

static const double end = 4e7, p[3] = {0.04, 1e4, 3e7};

static int rhs(double t, N_Vector yv, N_Vector fv, void *user) {
  (void)t, (void)user;
  double *y = N_VGetArrayPointer(yv), *f = N_VGetArrayPointer(fv);
  double a = p[0] * y[0], b = p[1] * y[1] * y[2], c = p[2] * y[1] * y[1];
  f[0] = b - a, f[1] = a - b - c, f[2] = c;
  return 0;
}
static int quadrature(double t, N_Vector yv, N_Vector fv, void *user) {
  (void)t, (void)user;
  N_VGetArrayPointer(fv)[0] = N_VGetArrayPointer(yv)[2];
  return 0;
}
static int jacobian(double t, N_Vector yv, N_Vector fv, SUNMatrix J, void *user, N_Vector a, N_Vector b, N_Vector c) {
  (void)t, (void)fv, (void)user, (void)a, (void)b, (void)c;
  double *y = N_VGetArrayPointer(yv), *d = SUNDenseMatrix_Data(J);
  d[0] = -p[0], d[3] = p[1] * y[2], d[6] = p[1] * y[1];
  d[1] = p[0], d[4] = -p[1] * y[2] - 2 * p[2] * y[1], d[7] = -p[1] * y[1];
  d[2] = 0, d[5] = 2 * p[2] * y[1], d[8] = 0;
  return 0;
}
static int rhs_back(double t, N_Vector yv, N_Vector lv, N_Vector fv, void *user) {
  (void)t, (void)user;
  double *y = N_VGetArrayPointer(yv), *l = N_VGetArrayPointer(lv), *f = N_VGetArrayPointer(fv);
  double l21 = l[1] - l[0], l32 = l[2] - l[1];
  f[0] = -p[0] * l21;
  f[1] = p[1] * y[2] * l21 - 2 * p[2] * y[1] * l32;
  f[2] = p[1] * y[1] * l21 - 1;
  return 0;
}
static int quadrature_back(double t, N_Vector yv, N_Vector lv, N_Vector fv, void *user) {
  (void)t, (void)user;
  double *y = N_VGetArrayPointer(yv), *l = N_VGetArrayPointer(lv), *f = N_VGetArrayPointer(fv);
  double l21 = l[1] - l[0], l32 = l[2] - l[1];
  f[0] = -y[0] * l21, f[1] = y[1] * y[2] * l21, f[2] = -y[1] * y[1] * l32;
  return 0;
}
static int jacobian_back(double t, N_Vector yv, N_Vector lv, N_Vector fv, SUNMatrix J, void *user, N_Vector a, N_Vector b,
                         N_Vector c) {
  (void)t, (void)lv, (void)fv, (void)user, (void)a, (void)b, (void)c;
  double *y = N_VGetArrayPointer(yv), *d = SUNDenseMatrix_Data(J);
  d[0] = p[0], d[3] = -p[0], d[6] = 0;
  d[1] = -p[1] * y[2], d[4] = p[1] * y[2] + 2 * p[2] * y[1], d[7] = -2 * p[2] * y[1];
  d[2] = -p[1] * y[1], d[5] = p[1] * y[1], d[8] = 0;
  return 0;
}

static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

int main(int argc, char **argv) {
  if (argc < 3) return fprintf(stderr, "plain_adjoint RTOL REPEATS\n"), 2;
  double rtol = atof(argv[1]), forward = 1e300, all = 1e300, gradient[3] = {0, 0, 0};
  for (int repeat = atoi(argv[2]); repeat > 0; --repeat) {
    SUNContext context;
    SUNContext_Create(NULL, &context);
    N_Vector y = N_VNew_Serial(3, context), atol = N_VNew_Serial(3, context), q = N_VNew_Serial(1, context);
    N_Vector l = N_VNew_Serial(3, context), latol = N_VNew_Serial(3, context), lq = N_VNew_Serial(3, context),
             qatol = N_VNew_Serial(3, context);
    double *v = N_VGetArrayPointer(y);
    N_VConst(0, y), N_VConst(0, q), N_VConst(0, l), N_VConst(0, lq), N_VConst(rtol, atol), N_VConst(rtol, latol);
    v[0] = 1, N_VGetArrayPointer(atol)[1] = 1e-4 * rtol, N_VGetArrayPointer(latol)[1] = 1e4 * rtol;
    for (int k = 0; k < 3; ++k) N_VGetArrayPointer(qatol)[k] = rtol / p[k];
    double began = seconds(), t = 0;
    void *memory = CVodeCreate(CV_BDF, context);
    CVodeInit(memory, rhs, 0, y);
    CVodeSVtolerances(memory, rtol, atol);
    CVodeSetMaxNumSteps(memory, 50000);
    SUNMatrix A = SUNDenseMatrix(3, 3, context), B = SUNDenseMatrix(3, 3, context);
    SUNLinearSolver S = SUNLinSol_Dense(y, A, context), SB = SUNLinSol_Dense(l, B, context);
    CVodeSetLinearSolver(memory, S, A);
    CVodeSetJacFn(memory, jacobian);
    CVodeQuadInit(memory, quadrature, q);
    CVodeQuadSStolerances(memory, rtol, rtol);
    CVodeSetQuadErrCon(memory, 1);
    CVodeAdjInit(memory, 500, CV_POLYNOMIAL);
    CVodeSetStopTime(memory, end);
    int checkpoints = 0, which = 0;
    if (CVodeF(memory, end, y, &t, CV_NORMAL, &checkpoints) < 0) return 1;
    double middle = seconds();
    CVodeCreateB(memory, CV_BDF, &which);
    CVodeInitB(memory, which, rhs_back, end, l);
    CVodeSVtolerancesB(memory, which, rtol, latol);
    CVodeSetMaxNumStepsB(memory, which, 50000);
    CVodeSetLinearSolverB(memory, which, SB, B);
    CVodeSetJacFnB(memory, which, jacobian_back);
    CVodeQuadInitB(memory, which, quadrature_back, lq);
    CVodeQuadSVtolerancesB(memory, which, rtol, qatol);
    CVodeSetQuadErrConB(memory, which, 1);
    if (CVodeB(memory, 0, CV_NORMAL) < 0) return 1;
    CVodeGetQuadB(memory, which, &t, lq);
    double ended = seconds();
    if (middle - began < forward) forward = middle - began;
    if (ended - began < all) all = ended - began;
    for (int k = 0; k < 3; ++k) gradient[k] = N_VGetArrayPointer(lq)[k];
    CVodeFree(&memory), SUNLinSolFree(S), SUNLinSolFree(SB), SUNMatDestroy(A), SUNMatDestroy(B);
    N_VDestroy(y), N_VDestroy(atol), N_VDestroy(q), N_VDestroy(l), N_VDestroy(latol), N_VDestroy(lq), N_VDestroy(qatol);
    SUNContext_Free(&context);
  }
  printf("%.6g %.6g %.10g %.10g %.10g\n", forward, all, gradient[0], gradient[1], gradient[2]);
  return 0;
}
