// class: IntegerOverflow
// An Integer is exact from -2^53 to 2^53, in functions that are translated, too.
function power
  input Integer k;
  output Integer n;
algorithm
  n := 1;
  for i in 1:k loop
    n := n*10;
  end for;
end power;

model IntegerOverflow
  parameter Integer fits = power(15);
  parameter Integer large = power(48);
  Real x = fits + large;
end IntegerOverflow;
//| fail_integer_overflow.mo:9:5: error: `n` in the function `power` is too large, beyond the Integers from -2^53 to 2^53 [E437]
//|   9 |     n := n*10;
//|     |     ^~~~~~~~~
//| fail_integer_overflow.mo:15:29: note: called here
//|   15 |   parameter Integer large = power(48);
//|      |                             ^~~~~~~~~
