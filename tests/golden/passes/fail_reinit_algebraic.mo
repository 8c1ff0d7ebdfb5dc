// class: M
model M
  Real x(start = 1, fixed = true);
  Real y;
equation
  der(x) = -x;
  y^3 + y = x;
  when x < 0.5 then
    reinit(y, 1);
  end when;
end M;
//| fail_reinit_algebraic.mo:4:8: error: `y` has stateSelect = StateSelect.always but cannot be a state: its derivative does not appear [E426]
//|   4 |   Real y;
//|     |        ^
