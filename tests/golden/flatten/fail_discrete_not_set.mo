// class: M
model M
  discrete Real d, e;
  Real x;
equation
  der(x) = d;
  d = x + 1;
  when x > 1 then
    e = 1;
  end when;
end M;
//| fail_discrete_not_set.mo:3:17: error: `d` is discrete, but nothing sets it at events [E375]
//|   3 |   discrete Real d, e;
//|     |                 ^
