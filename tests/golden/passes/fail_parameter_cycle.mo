// class: M
model M
  parameter Real a = 2*b;
  parameter Real b = a + 1;
  Real x = a*time;
end M;
