model Driven "a lag, driven by a measured input"
  parameter Real a = 1;
  input Real u;
  Real x(start = 0, fixed = true);
equation
  der(x) = -a*x + u;
end Driven;
