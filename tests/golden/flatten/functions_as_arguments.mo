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
  Real x(start = 0), b, c;
equation
  der(x) = 1;
  b = twice(function line(slope = x, offset = 2), 3);
  c = sum_of(function line(slope = time), {x, 2*x});
end M;
//| model M
//|   Real startTime(fixed = true) = 0;
//|   Real finalTime(fixed = true) = 1;
//|   Real x(start = 0);
//|   Real b;
//|   Real c;
//| equation
//|   der(x) = 1;
//|   b = twice(x, 2, 3);
//|   c = sum_of(time, x, x*2);
//| function line(u, slope, offset) -> (y)
//|   y := offset + slope*u;
//| end line;
//| function twice(slope, offset, u) -> (y)
//|   (line) := line(u, slope, offset);
//|   (line) := line(line, slope, offset);
//|   y := line;
//| end twice;
//| function twice(slope, u) -> (y)
//|   (line) := line(u, slope, 1);
//|   (line) := line(line, slope, 1);
//|   y := line;
//| end twice;
//| function sum_of(slope, x[:]) -> (y)
//|   array x[2]
//|   y := 0;
//|   for k in 1:1:2 loop
//|     x := x[k - 1];
//|     (twice) := twice(slope, x);
//|     x := x[k - 1];
//|     (twice) := twice(x, 1);
//|     y := twice + (y + twice);
//|   end
//| end sum_of;
//| end M;
