// The equations of E. N. Lorenz: Deterministic nonperiodic flow, 1963; lorenz.csv is their solution by RK4 with steps of 1e-4 for
// sigma = 10, rho = 28, beta = 8/3.
model Lorenz
  parameter Real sigma = 5, rho = 15, beta = 1;
  Real x(start = 1.5, fixed = true), y(start = 2, fixed = true), z(start = 20, fixed = true);
equation
  der(x) = sigma*(y - x);
  der(y) = x*(rho - z) - y;
  der(z) = x*y - beta*z;
end Lorenz;
