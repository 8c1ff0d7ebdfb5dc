// Constants that are not numbers, beside others.
model Beside
  Real a = 4;
  Real b = (-8.0)^(1/3);
  Real c = 7;
  Real d = sqrt(-c);
  Real s(start = 0, fixed = true);
equation
  der(s) = 1;
end Beside;
model Before
  Real s(start = 0, fixed = true);
  Real b = (-8.0)^(1/3);
  Real a = 4;
  Real c = 7;
equation
  der(s) = 1;
end Before;
model Array
  parameter Real w[3] = {1, -2, 9};
  Real v[3] = {sqrt(w[i]) for i in 1:3};
  Real s(start = 0, fixed = true);
equation
  der(s) = 1;
end Array;
model Equal
  Real a = 4, b = 4, c = 0, d = -4, e = -d;
  Real s(start = 0, fixed = true);
equation
  der(s) = 1;
end Equal;
