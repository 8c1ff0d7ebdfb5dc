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
record Cable
  parameter String name = "?";
  Real amp = 1;
end Cable;
function g
  input Real x;
  output Real y;
protected
  Cable c;
  Cable thin(name = "thin", amp = 10);
algorithm
  c := thin;
  y := if c.name == "?" then 1 else x;
end g;
model M
  Real y = f(time);
  Real z = g(time);
end M;
//| fail_texts_in_functions.mo:9:11: error: `s` is not known at compile time: it is a variable [E230]
//|   9 |   y := if s == "a" then 1 else x;
//|     |           ^
//| fail_texts_in_functions.mo:6:10: note: declared here
//|   6 |   String s = "a";
//|     |          ^
//| fail_texts_in_functions.mo:23:11: error: `c.name` is not known at compile time: it is a variable [E230]
//|   23 |   y := if c.name == "?" then 1 else x;
//|      |           ^~~~~~
//| fail_texts_in_functions.mo:12:20: note: declared here
//|   12 |   parameter String name = "?";
//|      |                    ^~~~
