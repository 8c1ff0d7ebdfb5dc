// class: M
model M
  DomainLineSegment1D omega(N = 6);
  field Real c[2](domain = omega);
equation
  der(c[1]) = pder(c[1], x, x) indomain omega;
  der(c[2]) = pder(c[2], x, x) indomain omega;
  c[1] = 0 indomain omega.left;
  pder(c[2], x) = 0 indomain omega.left;
  c[1] = 0 indomain omega.right;
  c[2] = 0 indomain omega.right;
end M;
//| fail_field_elements.mo:9:3: error: elements of `c` have conditions of different kinds on the side `omega.left` [E513]
//|   9 |   pder(c[2], x) = 0 indomain omega.left;
//|     |   ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
//| fail_field_elements.mo:8:3: note: the first one is here
//|   8 |   c[1] = 0 indomain omega.left;
//|     |   ^~~~~~~~~~~~~~~~~~~~~~~~~~~~
