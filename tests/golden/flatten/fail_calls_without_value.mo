// class: M
model M
  function checked
    input Integer n;
    output Integer m;
  algorithm
    assert(n > 3, "too few");
    m := n;
  end checked;
  function sized
    input Real u;
    output Real y;
  protected
    Real v[checked(2)];
  algorithm
    v := fill(u, size(v, 1));
    y := v[1];
  end sized;
  Real x[2], y, z;
equation
  for i in 1:checked(2) loop
    x[i] = i*time;
  end for;
  y = sized(time);
  if checked(2) > 1 then
    z = 1;
  end if;
end M;
//| fail_calls_without_value.mo:21:14: error: the result of a call is needed at compile time, but has no value then [E308]
//|   21 |   for i in 1:checked(2) loop
//|      |              ^~~~~~~~~~
//| fail_calls_without_value.mo:14:12: error: the result of a call is needed at compile time, but has no value then [E308]
//|   14 |     Real v[checked(2)];
//|      |            ^~~~~~~~~~
//| fail_calls_without_value.mo:25:6: error: the result of a call is needed at compile time, but has no value then [E308]
//|   25 |   if checked(2) > 1 then
//|      |      ^~~~~~~~~~~~~~
