model Units "x in units of u decays into y in units of v, which is lost; truth: A = 2 u, k = 0.7, m = 0.25"
  parameter Real u = 1, v = 1;
  parameter Real A = 1, k = 0.3, m = 0.5;
  Real x(start = A, fixed = true), y(start = 0, fixed = true);
equation
  der(x) = -k*x;
  der(y) = k*x*v/u - m*y;
end Units;
