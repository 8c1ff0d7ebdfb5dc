// class: M
function f
  input Real x;
  output Real y;
protected
  String s = "a";
algorithm
  s := if x > 2 then "a" else "b";
  y := if s == "a" then 1 else x;
end f;
model M
  Real y = f(time);
end M;
//| fail_texts_in_functions.mo:9:11: error: `s` is not known at compile time: it is a variable [E230]
//|   9 |   y := if s == "a" then 1 else x;
//|     |           ^
//| fail_texts_in_functions.mo:6:10: note: declared here
//|   6 |   String s = "a";
//|     |          ^
