// SPDX-License-Identifier: Apache-2.0
/* The contract between generated code and everything that calls it: plain C, versioned. docs/c-interface.md.
 *
 * Arrays called [rows x ld] hold one variable per row; element i of a row is point i. ld is n padded to 8 doubles, rows are
 * 64-byte aligned; the padding is readable and writable and its content does not matter.
 */
#ifndef BOLZA_H
#define BOLZA_H
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define BOLZA_ABI_VERSION 6

/* ---- kernels -------------------------------------------------------------------------------------------------- */

typedef struct bolza_call {
  size_t n, ld;                /* points; distance between rows */
  const double* point;         /* [n_point x ld] */
  const double* shared;        /* [n_shared] one value for the whole call */
  const double* datum;         /* [data x instances] of the group */
  const int32_t* index;        /* [slots x instances] row of point, or entry of shared, as the kernel's shape says */
  size_t instances;            /* row length of index, datum and out_index */
  size_t first, last;          /* instances to evaluate */
  const double* weight;        /* [n_rows x ld] multipliers: hessian, vjp, taylor_hessian; a root's row is weight_index */
  const int32_t* weight_index; /* [roots x instances] */
  const double* direction;     /* [(n_point + n_global) x ld]: jvp */
  double* out;                 /* [n_out x ld] */
  const int32_t* out_index;    /* [outputs of the kernel x instances] row of out */
  double* scratch;             /* tape and arrays of Programs */
  size_t scratch_size;         /* doubles */
  void* context;
} bolza_call;

/* Returns 0 or a set of these bits. */
enum { BOLZA_NONFINITE = 1, BOLZA_SCRATCH = 2, BOLZA_ASSERT = 4, BOLZA_EXTERNAL = 8 };
typedef int (*bolza_kernel)(const bolza_call*);

/* What a kernel computes. Layout of `out`:
 *   value     [n_rows]
 *   jacobian  [n_rows values, then jac_nnz entries]
 *   hessian   [hess_nnz entries of sum_r weight_r d2 row_r (lower triangle), then grad_nnz entries of sum_r weight_r d
 * row_r] jvp       [n_rows] Jacobian times direction vjp       [grad_nnz] weighted gradient alone trace     [n_trace] every
 * intermediate value, see bolza_trace_entry
 *   taylor    one coefficient of the Taylor series in time of value, taylor_jacobian of jacobian, taylor_hessian of hessian
 * with weights that are series too: lanes are coefficients. A call with n = k + 1 reads coefficients 0 … k of the rows of
 * point and of weight, writes coefficient k of the rows of out, and keeps intermediate ones in scratch [group's scratch x
 * instances x ld], where calls with n = 1 … k have left theirs. Functions with Programs have none.
 */
typedef enum bolza_kind {
  BOLZA_VALUE,
  BOLZA_JACOBIAN,
  BOLZA_HESSIAN,
  BOLZA_JVP,
  BOLZA_VJP,
  BOLZA_TRACE,
  BOLZA_TAYLOR,
  BOLZA_TAYLOR_JACOBIAN,
  BOLZA_TAYLOR_HESSIAN,
  BOLZA_KINDS
} bolza_kind;

/* One group of one function, compiled for one kind. */
typedef struct bolza_group {
  size_t instances, slots, data, outputs, roots;
  const int32_t *index, *out_index, *weight_index;
  const double* datum;
  uint8_t adds;        /* 1: adds to out (rows are zeroed first); 0: stores */
  bolza_kernel points; /* lanes are points: any n; may be null */
  bolza_kernel single; /* code for n = 1; may be null, but not both */
  size_t scratch;      /* doubles wanted per call; taylor: per coefficient and instance */
} bolza_group;

typedef struct bolza_kernels {
  size_t n_out; /* rows of out */
  size_t n_groups;
  const bolza_group* groups;
  size_t n_zero; /* rows of out to zero before the groups run */
  const int32_t* zero;
} bolza_kernels;

typedef struct bolza_source {
  const char* file;
  int32_t line, column;
} bolza_source;

typedef struct bolza_row { /* of a function */
  const char* name;        /* text of the equation or constraint */
  bolza_source source;
  double lower, upper; /* constraints; 0 and 0 for equations */
} bolza_row;

/* Column c of a derivative: c < n_point is a row of point, else entry c - n_point of shared (always < n_global). */
typedef struct bolza_function {
  const char* name;
  size_t n_point, n_shared, n_global, n_rows;
  const bolza_row* rows; /* [n_rows] or null */
  size_t jac_nnz;
  const int32_t *jac_row, *jac_col; /* no entry twice */
  const uint8_t* jac_constant;      /* [jac_nnz] 1: does not depend on any input by which we differentiate, nor on time */
  size_t hess_nnz;
  const int32_t *hess_row, *hess_col; /* row >= col, no entry twice */
  size_t grad_nnz;
  const int32_t* grad_col;
  const bolza_kernels* kernels[BOLZA_KINDS]; /* null until asked for by bolza_problem.request */
} bolza_function;

/* ---- models and problems -------------------------------------------------------------------------------------- */

typedef struct bolza_variable {
  const char *name, *unit, *description;
  bolza_source source;
  double start, min, max, nominal, guess; /* physical units; no bound is +-INFINITY */
  uint8_t has_start, has_nominal, has_guess;
  uint8_t fixed;         /* states: start is the initial value. parameters: value is given. */
  uint8_t is_derivative; /* an algebraic that is the derivative of state `of` */
  uint8_t type;          /* 0 Real, 1 Integer, 2 Boolean, 3 enumeration */
  uint8_t selectable;    /* free parameters: a fit may find that it is 0 */
  int32_t of;
} bolza_variable;

/* A variable of the model that is not x, z or u: for results. */
typedef struct bolza_output {
  const char *name, *unit, *description;
  bolza_source source;
  uint8_t kind; /* 0: point row `index` (t, x, z, u), 1: row `index` of outputs, 2: rate of state `index`, 3: shared entry */
  int32_t index;
  double sign, offset; /* value = sign * that + offset */
} bolza_output;

/* ---- events: how discrete values m change --------------------------------------------------------------------------
 *
 * Discrete values are entries of `shared` after the fixed parameters, constant between events. At an event, with time, x
 * and the inputs fixed: pre := m; then until nothing changes: solve h = 0 for z, m := update; then reinit; when m differs
 * from pre, or a state was set, once more with pre := m. During initialisation flag `initial` is 1 and assignments of
 * `initial_update` are made as well.
 */
typedef enum bolza_discrete_role {
  BOLZA_DISCRETE_VARIABLE, /* of the model */
  BOLZA_DISCRETE_RELATION, /* remembered truth value of a relation; row of update: the relation taken literally */
  BOLZA_DISCRETE_PART      /* remembered value of floor, ceil, div, …; row of update: the function taken literally */
} bolza_discrete_role;

typedef struct bolza_discrete {
  bolza_variable variable; /* start: value of m and of pre(m) when initialisation begins */
  bolza_discrete_role role;
  uint8_t type;             /* 0 Real, 1 Integer, 2 Boolean, 3 enumeration */
  int32_t now, before;      /* entries of shared; before = -1: pre(m) is not used */
  int32_t indicator;        /* relations: row of indicators that changes its sign with the relation; parts: first of two
                               rows, both positive while the value holds; else -1 */
  uint8_t positive_is_true; /* relations: true where the indicator is positive */
  uint8_t closed;           /* relations: true where the indicator is zero (<=, >=) */
  uint8_t time_only;        /* the indicator depends on time, parameters and discrete values only */
} bolza_discrete;

/* The value before the event of a continuous variable: shared entry `before` := point row `row`. */
typedef struct bolza_previous {
  int32_t row, before;
} bolza_previous;
typedef struct bolza_sample {
  int32_t entry;
  double start, interval;
  bolza_source source;
} bolza_sample;
typedef enum bolza_level {
  BOLZA_LEVEL_ERROR,
  BOLZA_LEVEL_WARNING,
  BOLZA_LEVEL_CALL,          /* no assertion: a call for its effect, made once when its condition becomes false */
  BOLZA_LEVEL_CALL_AT_EVENTS /* the same, made at the start and at every event while its condition is false */
} bolza_level;
typedef struct bolza_message { /* of an assertion, a call or a termination */
  const char* text;            /* "{0}" … stand for values */
  bolza_source source;
  uint8_t level;                 /* of assertions, a bolza_level */
  int32_t n_values, first_value; /* rows of conditions, counted after the conditions themselves */
  int32_t action;                /* what makes the text, or the call, of the values; -1: the text itself */
} bolza_message;

typedef struct bolza_transport { /* spatialDistribution: two delayed values whose times are x and positiveVelocity */
  int32_t first;                 /* the delayed value at 0; the next one is that at 1 */
  int32_t n_places;              /* of the profile at the start: rows of `delays`, n_places places and as many values */
} bolza_transport;

typedef struct bolza_hybrid {
  size_t n_m, n_previous, n_samples, n_delays, n_reinits, n_assertions, n_terminations, n_initial_updates, n_indicators,
      n_transports;
  const bolza_discrete* discrete; /* [n_m], in the order of evaluation */
  const bolza_previous* previous;
  const bolza_sample* samples; /* entry of shared: 1 at a tick, else 0 */
  int32_t initial, terminal;   /* flags in shared, -1 not used */
  int32_t homotopy; /* entry of shared: share of `actual` in homotopy(actual, simplified), 1 but at the start; -1 not used */
  bolza_function* update;         /* [n_m] new values; null when n_m is 0 */
  bolza_function* indicators;     /* [n_indicators] */
  bolza_function* reinit;         /* [n_reinits fires, n_reinits new values] */
  const int32_t* reinit_state;    /* [n_reinits] */
  bolza_function* initial_update; /* [n_initial_updates] values */
  const int32_t* initial_target;  /* [n_initial_updates] entries of shared (m or pre(m)) */
  bolza_function* conditions;     /* [n_assertions must hold, n_terminations end when true, values of messages] */
  const bolza_message *assertions, *terminations;
  bolza_function* delays; /* [n_delays expressions, n_delays times, n_delays longest times], then the profiles of transports;
                             the delayed values are the last n_delays inputs u */
  const bolza_transport* transports;
  int32_t is_literal; /* relations make no events: there are assertions and nothing else; optimisers need not look at them */
} bolza_hybrid;

/* How a control with few values may change. */
typedef struct bolza_switching {
  size_t n_controls;
  const int32_t* controls; /* of u: the Boolean control itself, or one for each value, one of which is true */
  double dwell;            /* least time between changes, and before the first */
  int32_t switches;        /* most changes over the horizon; -1: any number */
  bolza_source source;
} bolza_switching;

/* point rows of every function of a model: 0 time, then x, z, u. shared: startTime, finalTime, free parameters (together
 * n_global), fixed parameters, then discrete values and flags. */
typedef struct bolza_model {
  const char* name;
  size_t n_x, n_z, n_u, n_q, n_g, n_initial, n_shared, n_global, n_outputs;
  const bolza_variable *x, *z, *u, *shared;
  const double* shared_values;         /* [n_shared] */
  bolza_function* rates;               /* f [n_x], q [n_q] */
  bolza_function* residuals;           /* h [n_z], g [n_g] */
  bolza_function* initial;             /* [n_initial], = 0 at the start; null when none */
  bolza_function* outputs;             /* null when none */
  bolza_function* integrand_residuals; /* r, q_0 = 1/2 sum r^2; null when not least squares */
  const bolza_output* results;         /* [n_outputs] */
  const bolza_hybrid* hybrid;          /* null: no events */
  int32_t index; /* differentiation index of the equations as compiled; 0 and 1 are the same to integrators */
  const int32_t* variable_index; /* [n_x + n_z] of each variable, 1 to index; null: all 1, or not known */
  size_t n_switching;
  const bolza_switching* switching;
} bolza_model;

/* t = on_start * t0 + on_final * tf + offset. One that no value is taken at is a corner, where right-hand sides jump or have
 * a kink: a mesh gets a point there. */
typedef struct bolza_place {
  int32_t phase;
  double on_start, on_final, offset;
} bolza_place;

typedef enum bolza_quantity { BOLZA_STATE, BOLZA_ALGEBRAIC, BOLZA_CONTROL, BOLZA_RATE, BOLZA_INTEGRAL } bolza_quantity;

/* A point value: quantity `index` at `place`; an integral: entry `index` of Q of phase `place`. */
typedef struct bolza_value_at {
  bolza_quantity quantity;
  int32_t place, index;
} bolza_value_at;

typedef struct bolza_phase {
  const char* name;
  size_t model;
  const double* shared_values; /* [n_shared] of the model: data of this phase; entries < n_global are guesses */
  const int32_t* parameter;    /* [n_global] problem parameter that each global entry of the model is */
} bolza_phase;

typedef struct bolza_problem {
  uint32_t version; /* BOLZA_ABI_VERSION */
  const char* name;
  size_t n_models, n_phases, n_parameters, n_places, n_values;
  bolza_model* const* models;
  const bolza_phase* phases;
  const bolza_variable*
      parameters; /* [n_parameters]: start and final times, free parameters; fixed ones have fixed = 1 and start = value */
  const bolza_place* places;
  const bolza_value_at* values; /* point rows of `point` */
  bolza_function* point;        /* rows: objective, constraints [n_k], residuals [n_r]; shared: the problem's parameters (all
                                   global), then data */
  const double* point_data;     /* shared of `point` after the parameters */
  size_t n_k, n_r;
  uint8_t least_squares; /* objective = 1/2 sum r^2 (+ integrals with residuals), nothing else */
  uint8_t maximize, is_static, is_optimization;
  /* Compiles a kind of a function when first asked for and fills function->kernels[kind]. 0 or an error. Null: what is there
   * is all. */
  int (*request)(void* provider, bolza_function* function, bolza_kind kind);
  void* provider;
} bolza_problem;

/* One intermediate value of a trace kernel. */
typedef struct bolza_trace_entry {
  const char* expression; /* source-like text with the model's names */
  int32_t row;            /* row of the function that it belongs to */
  int32_t operands[3];    /* entries of the trace, -1 none */
} bolza_trace_entry;

#ifdef __cplusplus
}
#endif
#endif
