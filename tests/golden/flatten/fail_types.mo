// class: M
model M
  record R
    Real a;
  end R;
  Real x, text_start(start = "one"), record_start(start = R(a = 1));
  Boolean b;
  R r;
equation
  x = b;
  b = x and true;
  x = if x then 1 else 2;
  x = if b then 1 else true;
  x = r.a + "text";
  b = x > r;
  x = (r).b;
end M;
//| fail_types.mo:6:22: error: `start` is a number, its value is a String [E383]
//|   6 |   Real x, text_start(start = "one"), record_start(start = R(a = 1));
//|     |                      ^~~~~~~~~~~~~
//| fail_types.mo:6:59: error: a record of type M.R cannot be used in arithmetic [E319]
//|   6 |   Real x, text_start(start = "one"), record_start(start = R(a = 1));
//|     |                                                           ^~~~~~~~
//| fail_types.mo:10:3: error: the types differ: Real and Boolean [E303]
//|   10 |   x = b;
//|      |   ^~~~~
//| fail_types.mo:11:7: error: `and` needs Boolean operands, this is Real [E304]
//|   11 |   b = x and true;
//|      |       ^
//| fail_types.mo:12:10: error: expected a scalar Boolean, this is Real [E305]
//|   12 |   x = if x then 1 else 2;
//|      |          ^
//| fail_types.mo:13:7: error: the types differ: Integer and Boolean [E303]
//|   13 |   x = if b then 1 else true;
//|      |       ^~~~~~~~~~~~~~~~~~~~~
//| fail_types.mo:14:13: error: `+` needs numeric operands, this is String [E304]
//|   14 |   x = r.a + "text";
//|      |             ^~~~~~
//| fail_types.mo:15:11: error: `>` needs scalar operands, this is M.R [E304]
//|   15 |   b = x > r;
//|      |           ^
//| fail_types.mo:16:11: error: `b` is not a member of this value of type M.R [E318]
//|   16 |   x = (r).b;
//|      |           ^
