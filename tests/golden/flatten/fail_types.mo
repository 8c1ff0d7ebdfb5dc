// class: M
model M
  record R
    Real a;
  end R;
  Real x;
  Boolean b;
  R r;
equation
  x = b;
  b = x and true;
  x = if x then 1 else 2;
  x = (x, x) + 1;
  x = r.a + "text";
  b = x > r;
end M;
//| fail_types.mo:13:7: error: a list in parentheses stands only on the left of `=` or `:=` [E132]
//|   13 |   x = (x, x) + 1;
//|      |       ^~~~~~
