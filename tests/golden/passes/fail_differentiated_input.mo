// class: Prescribed
model Prescribed
  input Real u;
  parameter Real m = 2;
  Real x, v, force;
equation
  der(x) = v;
  m*der(v) = force;
  x + 0.1*x^3 = u;
end Prescribed;
//| fail_differentiated_input.mo:9:3: error: the derivative of the input `u` is needed [E417]
//|   9 |   x + 0.1*x^3 = u;
//|     |   ^~~~~~~~~~~~~~~
//| fail_differentiated_input.mo:3:14: note: declared here
//|   3 |   input Real u;
//|     |              ^
