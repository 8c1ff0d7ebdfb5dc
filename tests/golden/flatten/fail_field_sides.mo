// class: M
model M
  DomainLineSegment1D omega(N = 6);
  field Real u(domain = omega), w(domain = omega);
  Real v;
equation
  der(u) = pder(u, x, x) indomain omega;
  der(w) = pder(w, x, x) indomain omega;
  u = 0 indomain omega.left;
  pder(u, x) = 1 indomain omega.left;
  pder(u, x) = pder(w, x) indomain omega.right;
  der(v) = 1 indomain v;
  if time < 1 then
    w = 0 indomain omega.left;
  else
    w = 1 indomain omega.left;
  end if;
end M;
//| fail_field_sides.mo:12:23: error: `v` is not a domain [E502]
//|   12 |   der(v) = 1 indomain v;
//|      |                       ^
//| fail_field_sides.mo:14:20: error: `indomain` inside of an if-equation is not supported [E510]
//|   14 |     w = 0 indomain omega.left;
//|      |                    ^~~~~~~~~~
//| fail_field_sides.mo:16:20: error: `indomain` inside of an if-equation is not supported [E510]
//|   16 |     w = 1 indomain omega.left;
//|      |                    ^~~~~~~~~~
//| fail_field_sides.mo:10:3: error: `u` has two conditions on the side `omega.left` [E503]
//|   10 |   pder(u, x) = 1 indomain omega.left;
//|      |   ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
//| fail_field_sides.mo:9:3: note: the first one is here
//|   9 |   u = 0 indomain omega.left;
//|     |   ^~~~~~~~~~~~~~~~~~~~~~~~~
//| fail_field_sides.mo:11:3: error: the condition of `u` on the side `omega.right` is about more than one derivative across it [E512]
//|   11 |   pder(u, x) = pder(w, x) indomain omega.right;
//|      |   ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
