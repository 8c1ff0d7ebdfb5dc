// class: Echo
model Echo
  Real x, f, y(start = 1, fixed = true);
equation
  der(x) = f;
  der(y) = -y;
  2*x + sin(x) = delay(y, 0.1);
end Echo;
//| fail_not_differentiable.mo:7:3: error: the derivative of `delay(y, 0.1)` is needed, which is a delayed value [E420]
//|   7 |   2*x + sin(x) = delay(y, 0.1);
//|     |   ^~~~~~~~~~~~~~~~~~~~~~~~~~~~
//| fail_not_differentiable.mo:7:18: note: declared here
//|   7 |   2*x + sin(x) = delay(y, 0.1);
//|     |                  ^~~~~~~~~~~~~
