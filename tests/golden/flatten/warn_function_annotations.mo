// class: M
model M
  function f
    input Real x;
    output Real y;
  algorithm
    y := x^2;
    annotation(derivative = g, inverse(x = g(x)));
  end f;
  function g
    input Real x;
    output Real y;
  algorithm
    y := x;
  end g;
  Real x(start = 1, fixed = true);
equation
  der(x) = -f(x);
end M;
//| warn_function_annotations.mo:8:16: warning: the `derivative` annotation of `f` is not used: `g` has 1 inputs instead of 2 [W305]
//|   8 |     annotation(derivative = g, inverse(x = g(x)));
//|     |                ^~~~~~~~~~~~~~
//| warn_function_annotations.mo:8:40: warning: the `inverse` annotation of `f` is not used: `x` is neither its output nor another input [W305]
//|   8 |     annotation(derivative = g, inverse(x = g(x)));
//|     |                                        ^~~~~~~~
