model RootOfTime "no number after t = 0.5"
  Real x(start = 0, fixed = true);
equation
  der(x) = sqrt(0.5 - time);
end RootOfTime;
