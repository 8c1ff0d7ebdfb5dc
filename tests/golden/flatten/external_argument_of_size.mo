// class: M
// What a C function is given is computed from an Integer of the call.
function g
  input Integer n;
  input Real u;
  output Real y;
  external "C" y = ldexp(u, n + 1);
end g;
model M
  Real y = g(2, time), z = g(3, time);
end M;
//| external_argument_of_size.mo:10:12: warning: derivatives of the external function `g` are difference quotients [W306]
//|   10 |   Real y = g(2, time), z = g(3, time);
//|      |            ^~~~~~~~~~
//| model M
//|   Real startTime(fixed = true) = 0;
//|   Real finalTime(fixed = true) = 1;
//|   Real y;
//|   Real z;
//| equation
//|   y = g(2, time);
//|   z = g(3, time);
//| function g(n, u) -> (y)
//| end g;
//| function g(n, u) -> (y)
//| end g;
//| end M;
