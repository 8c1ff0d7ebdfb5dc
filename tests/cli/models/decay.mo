model Decay "der(x) = -k x, closed form exp(-k t)"
  parameter Real k = 1;
  Real x(start = 1, fixed = true);
  Real y = 2*x "an algebraic variable";
equation
  der(x) = -k*x;
  annotation(experiment(StopTime = 2));
end Decay;
