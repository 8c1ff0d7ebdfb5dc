// class: M
model M
  partial function shape
    input Real x;
    output Real y;
  end shape;
  function square
    extends shape;
  algorithm
    y := x^2;
  end square;
  function apply
    input shape f;
    input Real x;
    output Real y;
  algorithm
    y := f(x);
  end apply;
  Real x = apply(function square(), time);
end M;
//| fail_unsupported_function_argument.mo:19:18: error: a function as an argument is not supported yet [E301]
//|   19 |   Real x = apply(function square(), time);
//|      |                  ^~~~~~~~~~~~~~~~~
