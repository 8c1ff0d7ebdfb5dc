// class: M
model M
  Real x, y, z;
  input Real u;
equation
  der(x) = u - x*y;
  sin(y) = x;
  u = 3*x;
  y*y = time;
end M;
