// class: HeldTwice
model HeldTwice
  parameter Real k = 2, p = 0.5;
  Real x, y, f, g;
equation
  der(x) = f + p*g;
  der(y) = f - g;
  x - y = sin(time);
  k*x - k*y = 1;
end HeldTwice;
//| fail_dependent_constraints.mo:9:3: error: constraints between states depend on each other, whatever the values [E419]
//|   9 |   k*x - k*y = 1;
//|     |   ^~~~~~~~~~~~~
//| fail_dependent_constraints.mo:8:3: note: constraint: x - y = sin(time)
//|   8 |   x - y = sin(time);
//|     |   ^~~~~~~~~~~~~~~~~
//| fail_dependent_constraints.mo:9:3: note: constraint: k*x - k*y = 1
//|   9 |   k*x - k*y = 1;
//|     |   ^~~~~~~~~~~~~
