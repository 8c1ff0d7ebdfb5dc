// class: M
// Functions that are called with functions are specialised for them; what these were given are further inputs.
model M
  partial function Scalar
    input Real u;
    output Real y;
  end Scalar;
  function line
    extends Scalar;
    input Real slope, offset = 1;
  algorithm
    y := slope*u + offset;
  end line;
  function square
    extends Scalar;
  algorithm
    y := u^2;
  end square;
  function twice
    input Scalar f;
    input Real u;
    output Real y;
  algorithm
    y := f(f(u));
  end twice;
  function sum_of
    input Scalar f;
    input Real x[:];
    output Real y = 0;
  algorithm
    for k in 1:size(x, 1) loop
      y := y + twice(f, x[k]) + twice(function line(slope = x[k]), 1);
    end for;
  end sum_of;
  Real x(start = 0), a, b, c;
equation
  der(x) = 1;
  a = twice(square, x);
  b = twice(function line(slope = x, offset = 2), 3);
  c = sum_of(function line(slope = time), {x, 2*x});
end M;
