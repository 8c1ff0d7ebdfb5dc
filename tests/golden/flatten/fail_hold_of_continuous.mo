// class: M
model M
  Real x(start = 0, fixed = true), y;
equation
  der(x) = 1;
  y = hold(x);
end M;
//| fail_hold_of_continuous.mo:6:7: error: `hold` needs a clocked variable, `x` is continuous [E490]
//|   6 |   y = hold(x);
//|     |       ^~~~~~~
