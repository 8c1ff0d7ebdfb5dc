// class: M
model M
  DomainLineSegment1D omega(N = 6), other(N = 6), short(N = 2);
  field Real u(domain = omega), w(domain = omega), y(domain = omega), z(domain = other), s(domain = short);
  Real v = time;
  Real q = pder(u, x);
equation
  der(u) = pder(v, x) indomain omega;
  der(w) = pder(pder(w, x, x), x) indomain omega;
  der(y) = pder(y, r) + z indomain omega;
  der(z) = u indomain other;
  der(s) = pder(s, x) indomain short;
  v = extrapolateField(y) indomain omega;
end M;
//| fail_field_derivatives.mo:6:12: error: `pder(u, x)` has no meaning here [E508]
//|   6 |   Real q = pder(u, x);
//|     |            ^~~~~~~~~~
//| fail_field_derivatives.mo:8:12: error: `pder` of `v`, in which there is no field on `omega` [E505]
//|   8 |   der(u) = pder(v, x) indomain omega;
//|     |            ^~~~~~~~~~
//| fail_field_derivatives.mo:9:12: error: `pder(pder(w, x, x), x)` is a derivative of third order: at most second ones are discretised [E507]
//|   9 |   der(w) = pder(pder(w, x, x), x) indomain omega;
//|     |            ^~~~~~~~~~~~~~~~~~~~~~
//| fail_field_derivatives.mo:10:20: error: `r` is not a coordinate of `omega` [E504]
//|   10 |   der(y) = pder(y, r) + z indomain omega;
//|      |                    ^
//| fail_field_derivatives.mo:11:12: error: `u` is a field on another domain than `other` [E509]
//|   11 |   der(z) = u indomain other;
//|      |            ^
//| fail_field_derivatives.mo:12:32: error: `short` has 2 points along `x`: derivatives need 3 at least [E506]
//|   12 |   der(s) = pder(s, x) indomain short;
//|      |                                ^~~~~
//| fail_field_derivatives.mo:13:7: error: `extrapolateField(y)` has no meaning here [E508]
//|   13 |   v = extrapolateField(y) indomain omega;
//|      |       ^~~~~~~~~~~~~~~~~~~
