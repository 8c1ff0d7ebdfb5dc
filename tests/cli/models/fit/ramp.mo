model Ramp
  parameter Real k = 1;
  input Real u;
  Real x(start = 0, fixed = true), v = u;
equation
  der(x) = k*u;
end Ramp;
