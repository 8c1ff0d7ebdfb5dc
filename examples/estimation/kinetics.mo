// Robertson's kinetics over ten seconds, two of three concentrations measured (`scripts/estimation --data`, noise 1e-3).
model Kinetics
  parameter Real p1 = 0.04, p2 = 1e4, p3 = 3e7 "rates";
  Real x1(start = 1, fixed = true), x2(start = 0, fixed = true, nominal = 1e-6), x3(start = 0, fixed = true);
equation
  der(x1) = -p1*x1 + p2*x2*x3;
  der(x2) = p1*x1 - p2*x2*x3 - p3*x2^2;
  der(x3) = p3*x2^2;
annotation(experiment(StopTime = 10));
end Kinetics;
