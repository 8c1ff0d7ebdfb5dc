model Chatter "a relay without hysteresis that keeps x at zero"
  Real x(start = 1, fixed = true);
  Real drive = if x > 0 then -1 else 1;
equation
  der(x) = drive;
  annotation(experiment(StopTime = 3));
end Chatter;
