// class: M
model M
  Real v = time;
  field Real a;
  field Real b(domain = v);
end M;
//| fail_fields.mo:4:14: error: the field `a` has no domain [E501]
//|   4 |   field Real a;
//|     |              ^
//| fail_fields.mo:5:25: error: `v` is not a domain [E502]
//|   5 |   field Real b(domain = v);
//|     |                         ^
