// class: M
model M
  Real c[2] = {1, "b"};
end M;
//| fail_string_as_number.mo:3:19: error: a String cannot be used in arithmetic [E321]
//|   3 |   Real c[2] = {1, "b"};
//|     |                   ^~~
