model M
  parameter Real k = 1;
  input Real u(unit = "m");
  Real x[1, 2](each start = 0, each fixed = true);
equation
  der(x[1, 1]) = u - k*x[1, 1];
  der(x[1, 2]) = 0;
end M;
