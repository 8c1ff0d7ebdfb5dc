// High irradiance response of plants [HW, IV.10], a stiff chemical system of eight concentrations, four of them measured
// (`scripts/estimation --data`, noise 2e-3): k1 = 1.71, k4 = 0.69, k8 = 1.81.
model Hires
  parameter Real k1 = 1.71, k2 = 0.43, k3 = 8.32, k4 = 0.69, k5 = 0.035, k6 = 280, k7 = 0.0007, k8 = 1.81;
  Real y1(start = 1, fixed = true), y2(start = 0, fixed = true), y3(start = 0, fixed = true), y4(start = 0, fixed = true),
    y5(start = 0, fixed = true), y6(start = 0, fixed = true), y7(start = 0, fixed = true), y8(start = 0.0057, fixed = true);
equation
  der(y1) = -k1*y1 + k2*y2 + k3*y3 + k7;
  der(y2) = k1*y1 - 8.75*y2;
  der(y3) = -10.03*y3 + k2*y4 + k5*y5;
  der(y4) = k3*y2 + 1.71*y3 - 1.12*y4;
  der(y5) = -1.745*y5 + k2*y6 + k2*y7;
  der(y6) = -k6*y6*y8 + k4*y4 + 1.71*y5 - k2*y6 + 0.69*y7;
  der(y7) = k6*y6*y8 - k8*y7;
  der(y8) = -k6*y6*y8 + k8*y7;
annotation(experiment(StopTime = 60));
end Hires;
