// SPDX-License-Identifier: Apache-2.0
/* What tests/numeric/external.py compiles: scalars, outputs by pointer, arrays, strings, an object, an error. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
void ModelicaError(const char*);
void ModelicaFormatError(const char*, ...);
void ModelicaMessage(const char*);
char* ModelicaAllocateString(size_t);
double mine_square(double x) { if (x > 1e6) ModelicaFormatError("x = %g is too large", x); return x*x; }
double mine_square_der(double x, double dx) { return 2*x*dx; }
void mine_polar(double x, double y, double* r, double* phi) { *r = sqrt(x*x+y*y); *phi = atan2(y,x); }
double mine_dot(const double* a, size_t n, const double* b, size_t m) { double s=0; for (size_t i=0;i<n;++i) s+=a[i]*b[i]; return s; }
void mine_mul(const double* a, int rows, int cols, const double* x, double* y) { for(int i=0;i<rows;++i){ y[i]=0; for(int j=0;j<cols;++j) y[i]+=a[i*cols+j]*x[j]; } }
int mine_count(const char* s) { return (int)strlen(s); }
const char* mine_twice(const char* s) { char* r = ModelicaAllocateString(2*strlen(s)); strcpy(r,s); strcat(r,s); return r; }
typedef struct { double k; char name[20]; } Obj;
void* mine_new(const char* name, double k) { Obj* o = malloc(sizeof(Obj)); o->k=k; strncpy(o->name,name,19); ModelicaMessage("made"); return o; }
void mine_free(void* o) { free(o); ModelicaMessage("freed"); }
double mine_eval(void* o, double x) { return ((Obj*)o)->k * sin(x); }
double mine_eval_der(void* o, double x, double dx) { return ((Obj*)o)->k * cos(x)*dx; }

/* records are structs by pointer, inner ones inside; FORTRAN 77 passes all by pointer, columns first */
typedef struct { int sides; double length; } Inner;
typedef struct { double a; int on; Inner inner; double b; } Outer;
void mine_record(const Outer* in, double x, Inner* out) { out->sides = in->inner.sides + in->on; out->length = in->a*x + in->b*in->inner.length; }
void mine_solve_(const double* a, const double* b, const int* n, double* x, int* info) {
  double det = a[0]*a[3] - a[2]*a[1];
  *info = *n == 2 ? 0 : -1;
  x[0] = (b[0]*a[3] - a[2]*b[1])/det, x[1] = (a[0]*b[1] - b[0]*a[1])/det;
}
double mine_power_(const double* x, const int* k) { double y = 1; for (int i = 0; i < *k; ++i) y *= *x; return y; }
