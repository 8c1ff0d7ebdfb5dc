model Pendulum
  Real phi(start = 2, fixed = true), omega(start = 0, fixed = true);
equation
  der(phi) = omega;
  der(omega) = -9.81*sin(phi);
  annotation(experiment(StopTime = 100));
end Pendulum;
