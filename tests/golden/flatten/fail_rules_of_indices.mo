// class: M
type E = enumeration(one, two);
model M
  Real a[E] = {1, 2}, b[Boolean] = {3, 4};
  Real x = a[1], y = b[2], z = a[E.two] + b[false];
end M;
//| fail_rules_of_indices.mo:5:14: error: expected a literal of `E` as subscript, this is Integer [E305]
//|   5 |   Real x = a[1], y = b[2], z = a[E.two] + b[false];
//|     |              ^
//| fail_rules_of_indices.mo:5:24: error: expected a Boolean as subscript, this is Integer [E305]
//|   5 |   Real x = a[1], y = b[2], z = a[E.two] + b[false];
//|     |                        ^
