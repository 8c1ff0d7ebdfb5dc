// class: M
model M
  Real c[2] = {1, "b"};
  Real e = if time > 1 then "a" else 2;
end M;
//| fail_string_as_number.mo:3:19: error: a String cannot be used in arithmetic [E321]
//|   3 |   Real c[2] = {1, "b"};
//|     |                   ^~~
//| fail_string_as_number.mo:4:12: error: the types differ: String and Integer [E303]
//|   4 |   Real e = if time > 1 then "a" else 2;
//|     |            ^~~~~~~~~~~~~~~~~~~~~~~~~~~
