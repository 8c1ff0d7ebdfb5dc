// class: M
model M
  Real x, y;
equation
  x = y + 1;
  y = x;
end M;
