model Roberts
  Real y1(start = 1, fixed = true), y2(start = 0, fixed = true, nominal = 1e-5), y3(start = 0, fixed = true);
equation
  der(y1) = 1e4*y2*y3 - 0.04*y1;
  der(y2) = 0.04*y1 - 1e4*y2*y3 - 3e7*y2^2;
  der(y3) = 3e7*y2^2;
  annotation(experiment(StopTime = 4e7));
end Roberts;
