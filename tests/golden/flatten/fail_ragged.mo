// class: M
model M
  record R
    parameter Integer n;
    Real x[n];
  end R;
  function f
    input R r[:];
    output Real y = sum(r[1].x);
  algorithm
  end f;
  R r[2](n = {2, 3}, x = {{1, 2}, {3, 4, time}});
  Real y[2, 3] = r.x;
  Real z = f(r);
  Real a = r[3].x[1];
  parameter R p[2] = {R(1, {1}), R(2, {2, 3})};
  parameter Real q = sum(p.x);
equation
  for i in 1:2 loop
    r[i].x[3] = i;
  end for;
end M;
//| fail_ragged.mo:13:18: error: the elements of `r.x` differ in their sizes: they can only be used one by one [E256]
//|   13 |   Real y[2, 3] = r.x;
//|      |                  ^~~
//| fail_ragged.mo:14:14: error: the sizes in this array of records differ: [2] and [3] [E302]
//|   14 |   Real z = f(r);
//|      |              ^
//| fail_ragged.mo:15:12: error: subscript 3 is outside dimension 1, which has 2 elements [E306]
//|   15 |   Real a = r[3].x[1];
//|      |            ^~~~~~~~~
//| fail_ragged.mo:17:26: error: the elements of `p.x` differ in their sizes: they can only be used one by one [E256]
//|   17 |   parameter Real q = sum(p.x);
//|      |                          ^~~
//| fail_ragged.mo:20:5: error: subscript 3 is outside dimension 1, which has 2 elements [E306]
//|   20 |     r[i].x[3] = i;
//|      |     ^~~~~~~~~
