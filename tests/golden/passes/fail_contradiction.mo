// class: M
model M
  Real x, y;
equation
  x = y + 1;
  y = x;
end M;
//| fail_contradiction.mo:6:3: error: the equation contradicts others: after inserting them it reads 0 = 1 [E416]
//|   6 |   y = x;
//|     |   ^~~~~
