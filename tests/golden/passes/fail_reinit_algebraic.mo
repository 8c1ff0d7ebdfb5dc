// class: M
model M
  Real x(start = 1, fixed = true);
  Real y;
equation
  der(x) = -x;
  y^3 + y = time;
  when x < 0.5 then
    reinit(y, 1);
  end when;
end M;
//| fail_reinit_algebraic.mo:9:5: error: `reinit` sets `y`, which is not a state [E423]
//|   9 |     reinit(y, 1);
//|     |     ^~~~~~~~~~~~
//| fail_reinit_algebraic.mo:7:3: note: given by the constraint: y^3 + y = time
//|   7 |   y^3 + y = time;
//|     |   ^~~~~~~~~~~~~~
