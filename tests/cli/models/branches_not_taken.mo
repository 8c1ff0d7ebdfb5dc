// Branches that are not taken.
package BranchesNotTaken
  function level "calls itself in a branch that the value of `kind` chooses, through another function"
    input Real x;
    input Integer kind = 0;
    output Real y;
  protected
    Integer chosen;
  algorithm
    chosen := kind;
    if chosen == 0 then
      y := 10 + both(x);
    else
      y := chosen*x;
    end if;
  end level;
  function both
    input Real x;
    output Real y;
  algorithm
    y := level(x, 1) + level(x, kind = 2);
  end both;
  function counted "an Integer keeps its value, loses it in loops and where branches differ"
    input Real x;
    output Real y;
  protected
    Integer n = 3, m = 1, k = 0;
    Real v[4] = {1, 10, 100, 1000};
  algorithm
    y := sum(v[1:n])*x;
    for i in 1:integer(x) loop
      m := m + 1;
      k := i;
    end for;
    if x > 1.5 then
      n := 4;
      m := m + 1;
    else
      n := 4;
      m := 0;
    end if;
    y := y + sum(v[1:n]) + 10000*m + 100000*k;
    while m > 0 loop
      m := m - 1;
      n := n - 1;
    end while;
    y := y + 1e6*n;
  end counted;
  function endless
    input Real x;
    output Real y;
  algorithm
    y := endless(x/2);
  end endless;
  function small "1/exp(1400) is 0"
    input Real x;
    output Real y;
  algorithm
    y := 1/exp(x) + 1/cosh(x) + x;
  end small;
  model Part
    parameter Integer n = 1;
    Real x[n];
  equation
    x = {k*time for k in 1:n};
  end Part;
  model M
    parameter Integer n = 3;
    Part part[n](n = {1, 2, 3});
    parameter Boolean samples = false;
    parameter Real s = small(1400);
    Real u[n], d(start = 0), g, y = level(time), z = counted(time + 1), w = counted(time);
  equation
    for i in 1:n loop
      u[i] = if i == n then part[i].x[1] else part[i + 1].x[2];
    end for;
    if samples then
      when sample(0, 1) then
        d = pre(d) + 1;
      end when;
    else
      d = 2*time;
    end if;
    der(g) = d;
  initial equation
    g = s;
  end M;
  model Endless
    Real y = endless(time);
  end Endless;
end BranchesNotTaken;
