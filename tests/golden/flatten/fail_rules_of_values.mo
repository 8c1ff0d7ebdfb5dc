// class: M
type E = enumeration(one, two);
type F = enumeration(one, two, three);
model M
  parameter Integer n = 4000/100;
  parameter Integer e = E.two;
  parameter E f = F.one;
  parameter Boolean b = 1;
  Integer i = 2.5;
  Real late = delay(sin(time), 5.5, 1.0);
  Real root = sqrt(-25) + der(e);
  discrete Real d = 1;
end M;
//| fail_rules_of_values.mo:5:21: error: `n` is an Integer, its value is Real [E383]
//|   5 |   parameter Integer n = 4000/100;
//|     |                     ^~~~~~~~~~~~
//| fail_rules_of_values.mo:6:21: error: `e` is an Integer, its value is of `E` [E383]
//|   6 |   parameter Integer e = E.two;
//|     |                     ^~~~~~~~~
//| fail_rules_of_values.mo:7:15: error: `f` is of `E`, its value is of `F` [E383]
//|   7 |   parameter E f = F.one;
//|     |               ^~~~~~~~~
//| fail_rules_of_values.mo:8:21: error: `b` is a Boolean, its value is Integer [E383]
//|   8 |   parameter Boolean b = 1;
//|     |                     ^~~~~
//| fail_rules_of_values.mo:9:11: error: `i` is an Integer, its value is Real [E383]
//|   9 |   Integer i = 2.5;
//|     |           ^~~~~~~
//| fail_rules_of_values.mo:10:32: error: the delay of 5.5 s is longer than the longest one stated, 1 s [E381]
//|   10 |   Real late = delay(sin(time), 5.5, 1.0);
//|      |                                ^~~
//| fail_rules_of_values.mo:11:15: error: `sqrt(-25)` is not defined here: its argument is outside of what `sqrt` takes [E238]
//|   11 |   Real root = sqrt(-25) + der(e);
//|      |               ^~~~~~~~~
//| fail_rules_of_values.mo:11:31: error: `e` is not a continuous Real, it has no derivative [E351]
//|   11 |   Real root = sqrt(-25) + der(e);
//|      |                               ^
//| fail_rules_of_values.mo:12:17: error: `d` is discrete, but nothing sets it at events [E375]
//|   12 |   discrete Real d = 1;
//|      |                 ^
