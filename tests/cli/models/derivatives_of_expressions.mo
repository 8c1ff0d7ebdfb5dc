// der() of expressions. Each is 1, so that the expression is its first value and the time.
model DerivativesOfExpressions
  Real a(start = 2, fixed = true);
  Real b(start = 2, fixed = true);
  Real c(start = 0.5, fixed = true);
  Real d(start = 0.5, fixed = true);
  Real e(start = 0.5, fixed = true);
  Real f(start = 0.5, fixed = true);
  Real g(start = 0.5, fixed = true);
  Real h(start = 2, fixed = true);
  Real i(start = 0.5, fixed = true);
  Real j(start = 2, fixed = true);
  Real k(start = 0.1, fixed = true);
  Real l(start = -0.5, fixed = true);
  Real m(start = 0.1, fixed = true);
  Real n(start = 2, fixed = true);
  Real o(start = 0.5, fixed = true);
  Real p(start = 2, fixed = true);
  Real q[2](start = {1, 2}, each fixed = true);
  parameter Real three = 3;
equation
  der(a^2/2) = 1;
  der(a/b) = 1;
  der(sqrt(c)) = 1;
  der(exp(d)) = 1;
  der(log(e)) = 1;
  der(tan(f)) = 1;
  der(atan(g)) = 0.5;
  der(2^h) = 1;
  der(tanh(i)) = 0.25;
  der(j^three) = 1;
  der(asin(k)) = 1;
  der(abs(l)) = 1;
  der(sin(m)) = 0.5;
  der(n^(1 + time)) = 1;
  der(sinh(o) + cosh(o)) = 1;
  der(if three > 2 then log10(p) else p) = 1;
  der(q .^ 2) = {1, 2};
end DerivativesOfExpressions;
