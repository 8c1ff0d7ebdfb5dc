model AfterZero "x = exp(-t), p = 1 from right after the start"
  Real x(start = 1, fixed = true);
  Real p = if time <= 0 then 0 else 1;
equation
  der(x) = -p*x;
end AfterZero;

model Still "without states"
  Real p = if time >= 1 or time <= 0 then 0 else 1 + time;
end Still;
