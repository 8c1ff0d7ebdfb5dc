// class: Switched
model Switched
  Real x, f;
  Boolean b;
equation
  der(x) = f;
  b = x > 0.5;
  2*x + sin(x) = if b then 1 else 0;
end Switched;
//| fail_not_differentiable.mo:7:3: error: the derivative of `b` is needed, which is not a Real [E420]
//|   7 |   b = x > 0.5;
//|     |   ^~~~~~~~~~~
//| fail_not_differentiable.mo:4:11: note: declared here
//|   4 |   Boolean b;
//|     |           ^
