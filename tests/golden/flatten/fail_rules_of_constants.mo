// class: M
model M
  parameter Real p = 2;
  Real x = time;
  constant Real a = p;
  constant Real b = 2*x;
  constant Integer c = 8^3;
  constant Real r = 2*sin(r);
end M;
//| fail_rules_of_constants.mo:5:17: error: the constant `a` depends on a parameter [E384]
//|   5 |   constant Real a = p;
//|     |                 ^~~~~
//| fail_rules_of_constants.mo:6:17: error: the constant `b` depends on a variable [E384]
//|   6 |   constant Real b = 2*x;
//|     |                 ^~~~~~~
//| fail_rules_of_constants.mo:7:20: error: `c` is an Integer, its value is Real [E383]
//|   7 |   constant Integer c = 8^3;
//|     |                    ^~~~~~~
//| fail_rules_of_constants.mo:8:17: error: the value of `r` depends on itself [E233]
//|   8 |   constant Real r = 2*sin(r);
//|     |                 ^
