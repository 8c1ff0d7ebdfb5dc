// class: M
model M
  Real a, b, c;
equation
  exp(a) = 2;
  a*a = time;
  b*c = a;
end M;
