// class: M
model M
  Real x(start = 1, fixed = true), y, z;
equation
  der(x) + 0.1*sin(der(x)) = -y;
  y + 2*z = x;
  y - z = x^2;
end M;
