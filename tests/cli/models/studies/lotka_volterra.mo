// Prey and hunters; `kept` is a*log(y) - b*y - d*x + c*log(x), which no run changes.
model LotkaVolterra
  parameter Real a = 1.5;
  parameter Real b = 1;
  parameter Real c = 3;
  parameter Real d = 1;
  Real x(start = 10, fixed = true);
  Real y(start = 5, fixed = true);
  Real kept = a*log(y) - b*y - d*x + c*log(x);
equation
  der(x) = a*x - b*x*y;
  der(y) = -c*y + d*x*y;
  annotation(experiment(StopTime = 5));
end LotkaVolterra;
