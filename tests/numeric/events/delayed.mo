model Delayed "x' = -x(t - 1), solved by steps"
  Real x(start = 1, fixed = true);
equation
  der(x) = -delay(x, 1);
end Delayed;
