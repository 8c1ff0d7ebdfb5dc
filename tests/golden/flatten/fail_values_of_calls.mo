// class: M
function never
  input Real u;
  output Boolean y = false;
algorithm
  while not y loop
    y := y;
  end while;
end never;
function sized
  input Integer n;
  input Real u;
  output Real y;
protected
  Real a[n];
algorithm
  a := fill(u, n);
  y := sum(a);
end sized;
model M
  parameter Integer none[0];
  Real x(start = 1, fixed = never(2));
  Real y, z;
equation
  der(x) = -x;
  y = semiLinear(time, true, 2);
  z = sum(sized(none, time));
end M;
//| fail_values_of_calls.mo:22:21: error: the result of a call is needed at compile time, but has no value then [E308]
//|   22 |   Real x(start = 1, fixed = never(2));
//|      |                     ^~~~~~~~~~~~~~~~
//| fail_values_of_calls.mo:26:24: error: `*` needs numeric operands, this is Boolean [E304]
//|   26 |   y = semiLinear(time, true, 2);
//|      |                        ^~~~
//| fail_values_of_calls.mo:27:11: error: `n` of a call over an empty array is needed at compile time, but has no value then [E308]
//|   27 |   z = sum(sized(none, time));
//|      |           ^~~~~~~~~~~~~~~~~
