model Oscillator "two states"
  Real x(start = 1, fixed = true);
  Real v(start = 0, fixed = true);
equation
  der(x) = v;
  der(v) = -x;
  annotation(experiment(StopTime = 10));
end Oscillator;
