// Arrays of records and models whose elements differ in sizes: used one by one they are as any others.
package Ragged
  record R
    parameter Integer n = 1;
    Real x[n];
  end R;
  function total
    input R r;
    output Real y = sum(r.x);
  algorithm
  end total;

  model Variables "by literals, parameters of the array, loops, slices of equal size"
    parameter Integer m = 3;
    R r[m](n = {2, 3, 1}, x(each start = 0));
    Real y = sum(r[1].x) + 10*sum(r[2].x) + 100*r[3].x[1], z[m];
    Integer ns[m] = r.n, sizes[m] = {size(r[i].x, 1) for i in 1:m};
    Real first[2] = {r[i].x[end] for i in 1:2};
  equation
    for i in 1:m loop
      z[i] = total(r[i]);
      for k in 1:r[i].n loop
        r[i].x[k] = i + k*time;
      end for;
    end for;
  end Variables;

  model Parameters "values row by row, and of other arrays"
    parameter R p[2](n = {1, 2}, x = {{5}, {6, 7}});
    parameter R q[2] = {R(n = 2, x = {1, 2}), R(n = 3, x = {3, 4, 5})};
    parameter R same[2] = p;
    Real y = (p[1].x[1] + 10*p[2].x[2] + 100*q[2].x[3] + 1000*sum(q[1].x) + 10000*same[2].x[1])*time;
  end Parameters;

  model Leak
    Real y = 2*time;
  end Leak;
  model Pipe
    parameter Integer n = 1;
    parameter Boolean closed = false;
    Real x[n](each start = 1, each fixed = true);
    Real end_ = x[n];
    R inner_[2](n = {n, n + 1}, x = {x, cat(1, x, {0})});
    Leak leak if closed;
  equation
    for k in 1:n loop
      der(x[k]) = -k*x[k];
    end for;
  end Pipe;
  model Pipes "models: their last states are e^(-n t)"
    Pipe pipe[3](n = {1, 2, 3}, closed = {false, true, false});
    Real sum_ = sum(pipe.end_), inside = sum(pipe[3].inner_[2].x);
  end Pipes;

  record Settings
    parameter Integer n = 2;
    parameter Real k[n] = fill(1.0, n);
  end Settings;
  model Configured
    parameter Settings s;
    Real x[s.n] = s.k*time;
  end Configured;
  model Configurations "models whose records are given row by row"
    parameter Settings all[2](n = {1, 3}, k = {{7}, {1, 2, 3}});
    Configured a[2](s = all), b[2](s = {Settings(1, {4}), Settings(2, {5, 6})});
    Real y = a[1].x[1] + 10*a[2].x[3] + 100*b[1].x[1] + 1000*b[2].x[2];
  end Configurations;

  connector Pin
    Real v;
    flow Real i;
  end Pin;
  model Chain "n resistors of 1 in series"
    parameter Integer n = 1;
    Pin a, b;
    Real v[n + 1];
  equation
    a.i + b.i = 0;
    v[1] = a.v;
    v[n + 1] = b.v;
    for k in 1:n loop
      v[k] - v[k + 1] = a.i;
    end for;
  end Chain;
  model Source
    parameter Real v;
    Pin p;
  equation
    p.v = v;
  end Source;
  model Circuit "chains in series: 6 resistors at 12, the current is 2"
    Chain c[3](n = 1:3);
    Source source(v = 12), ground(v = 0);
  equation
    connect(source.p, c[1].a);
    for k in 1:2 loop
      connect(c[k].b, c[k + 1].a);
    end for;
    connect(c[end].b, ground.p);
  end Circuit;

  function inside "locals of a function"
    input Real u;
    output Real y;
  protected
    R r[3](n = {2, 3, 1});
  algorithm
    r[1].x := {u, 2*u};
    for i in 2:3 loop
      r[i].x := fill(i*u, r[i].n);
    end for;
    r[2].x[1] := 0;
    y := 0;
    for i in 1:3 loop
      y := y + total(r[i]);
    end for;
  end inside;
  model Function "3 u + 2*2 u + 3 u"
    Real y = inside(time), twice = p*time;
    parameter Real p = inside(2);
  end Function;

  model Discrete "assigned at events"
    R r[2](n = {1, 2}, x(each start = 0, each fixed = true));
    Real y(start = 0, fixed = true);
  equation
    when sample(0.5, 1) then
      r[1].x = {time};
    end when;
  algorithm
    when sample(0.25, 1) then
      r[2].x := {1, 2};
      y := pre(y) + sum(r[2].x);
    end when;
  end Discrete;

  model Slice
    R r[2](n = {2, 3}, x = {{1, 2}, {3, 4, 5}});
    Real y[2, 3] = r.x;
  end Slice;
  function all_of
    input R r[:];
    output Real y = sum(r[1].x);
  algorithm
  end all_of;
  model Argument
    R r[2](n = {2, 3}, x = {{1, 2}, {3, 4, 5}});
    Real y = all_of(r);
  end Argument;
end Ragged;
