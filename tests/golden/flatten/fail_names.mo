// class: M
model M
  record R
    Real a;
  end R;
  parameter Boolean use = false;
  Real absent if use;
  R r;
  Real x;
equation
  x = R;
  x = r(1).a;
  x = x(1, 2);
  x = absent;
end M;
//| fail_names.mo:12:11: error: expected `;` after equation, found `.` [E113]
//|   12 |   x = r(1).a;
//|      |           ^
