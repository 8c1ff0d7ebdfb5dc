model BlowUp "x = 1/(1 - t) leaves every bound at t = 1"
  Real x(start = 1, fixed = true);
equation
  der(x) = x^2;
  annotation(experiment(StopTime = 2));
end BlowUp;
