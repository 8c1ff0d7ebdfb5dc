// class: M
model M
  record P
    parameter Integer n;
    Real v[n];
  end P;
  function f
    input P p;
    output Real y;
  protected
    Real t[p.n] = 2*p.v;
  algorithm
    y := sum(t);
  end f;
  function unsized
    input Real u;
    output P p;
  algorithm
    p.v[1] := u;
  end unsized;
  function ragged
    input Real u;
    output Real y = u;
  protected
    P r[2](n = {1, integer(u)});
  algorithm
    y := r[1].v[1];
  end ragged;
  Real x = time;
  Real a = f(P(n = 3, v = {x, 1}));
  Real b = f(P(n = integer(x), v = {x, 1}));
  Real d = ragged(x);
  P c(n = 1);
equation
  c = unsized(x);
end M;
//| fail_record_sizes.mo:30:12: error: the sizes in this argument differ: `p.v` [3] and [2] [E302]
//|   30 |   Real a = f(P(n = 3, v = {x, 1}));
//|      |            ^~~~~~~~~~~~~~~~~~~~~~~
//| fail_record_sizes.mo:31:28: error: `x` is needed at compile time, but has no value then [E308]
//|   31 |   Real b = f(P(n = integer(x), v = {x, 1}));
//|      |                            ^
//| fail_record_sizes.mo:5:10: error: the size of `r.v` in `ragged` cannot be found [E339]
//|   5 |     Real v[n];
//|     |          ^
//| fail_record_sizes.mo:5:12: error: `p.n` is needed at compile time, but has no value then [E308]
//|   5 |     Real v[n];
//|     |            ^
