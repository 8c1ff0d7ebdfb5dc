model Rober "Robertson's autocatalytic reaction: three time scales over eleven decades"
  parameter Real k1 = 0.04;
  parameter Real k2 = 3e7;
  parameter Real k3 = 1e4;
  Real y1(start = 1, fixed = true, nominal = 1e-8);
  Real y2(start = 0, fixed = true, nominal = 1e-13);
  Real y3(start = 0, fixed = true);
equation
  der(y1) = -k1*y1 + k3*y2*y3;
  der(y2) = k1*y1 - k3*y2*y3 - k2*y2^2;
  der(y3) = k2*y2^2;
  annotation(experiment(StopTime = 1e11));
end Rober;
