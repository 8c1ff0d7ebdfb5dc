model Orego "the Oregonator: an oscillating reaction with jumps of six decades"
  parameter Real s = 77.27;
  parameter Real q = 8.375e-6;
  parameter Real w = 0.161;
  Real y1(start = 1, fixed = true);
  Real y2(start = 2, fixed = true);
  Real y3(start = 3, fixed = true);
equation
  der(y1) = s*(y2 + y1*(1 - q*y1 - y2));
  der(y2) = (y3 - (1 + y1)*y2)/s;
  der(y3) = w*(y1 - y3);
  annotation(experiment(StopTime = 360));
end Orego;
