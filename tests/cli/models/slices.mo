// Slices whose ends only the run tells.
package Slices
  function dot "of the first n elements"
    input Real a[:];
    input Real b[:];
    input Integer n;
    output Real y;
  algorithm
    y := a[1:n]*b[1:n];
  end dot;
  function outer_dot "hands its input on"
    input Real a[:];
    input Integer n;
    output Real y;
  algorithm
    y := dot(a, a, n - 1) + dot(a, a, n)*0.001;
  end outer_dot;
  function shifted
    input Real a[:];
    input Integer n;
    output Real y[size(a, 1)];
    output Real s "sum of squares";
    output Real m "maximum";
    output Real p "product from n on";
    output Integer k "elements of a[2:n]";
  algorithm
    y := a;
    y[2:n] := y[1:n - 1];
    y[1] := 0;
    s := sum(a[i]^2 for i in 1:n);
    m := max(a[1:n]);
    p := product(a[n:end]);
    k := size(a[2:n], 1);
  end shifted;
  function product_of_part "of a part of a matrix and a part of a vector, in reverse"
    input Real A[:, :];
    input Real x[:];
    input Integer n;
    output Real y[size(A, 1)];
  algorithm
    y := zeros(size(A, 1));
    y[1:n] := A[1:n, 1:n]*x[n:-1:1] + 2*x[1:n];
  end product_of_part;
  model Steps
    discrete Integer n(start = 1, fixed = true);
    parameter Real a[10] = 1:10;
    parameter Real b[10] = {0.5, 0.25, 1, 2, 3, -1, 4, 5, 0, 7};
    parameter Real A[10, 10] = {{i + 10*j for j in 1:10} for i in 1:10};
    Real y = dot(a, b, n), w = outer_dot(a, n);
    Real z[10], s, m, p, v[10] = product_of_part(A, b, n);
    Integer k;
    Real c[10] = {a[i] + time for i in 1:10};
    Real x(start = 0, fixed = true) "integral of a slice that varies";
    Real q(start = 1, fixed = true) "der(q) = -n^2 (n + 1)^2 q/6400: Jacobians through loops whose length varies";
  equation
    when sample(1, 1) then
      n = pre(n) + 1;
    end when;
    (z, s, m, p, k) = shifted(a, n);
    der(x) = dot(c, b, n);
    der(q) = -dot(a*q, a.^2, n)/1600;
  end Steps;
  function unequal
    input Real a[:];
    input Integer n, m;
    output Real y;
  algorithm
    y := a[1:n]*a[1:m];
  end unequal;
  function sized
    input Real a[:];
    input Integer n;
    output Real y;
  protected
    Real w[n] = a[1:n];
  algorithm
    y := w*w;
  end sized;
  model Unequal
    discrete Integer n(start = 1, fixed = true);
    Real y = unequal({1, 2, 3}, n, n);
  equation
    when sample(1, 1) then
      n = pre(n) + 1;
    end when;
  end Unequal;
  model Sized
    discrete Integer n(start = 1, fixed = true);
    Real y = sized({1, 2, 3}, n);
  equation
    when sample(1, 1) then
      n = pre(n) + 1;
    end when;
  end Sized;
  model Beyond
    discrete Integer n(start = 1, fixed = true);
    Real y = dot({1, 2, 3}, {1, 1, 1}, n);
  equation
    when sample(1, 1) then
      n = pre(n) + 1;
    end when;
  end Beyond;
end Slices;
