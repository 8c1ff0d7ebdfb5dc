// class: M
connector Pin
  Real v;
  flow Real i;
end Pin;
model Part
  Pin p;
end Part;
model Whole
  Part part;
end Whole;
model M
  function two
    input Real x;
    output Real a, b;
  algorithm
    a := x;
    b := 2*x;
  end two;
  function f
    input Real x;
    output Real y;
  algorithm
    y := x;
  end f;
  class g = f;
  Whole w;
  Pin p;
  Real there = 2 if true;
  Real x = 1 + there, a[2], b[2];
equation
  connect(p, w.part.p);
  (a, b) = two({1, 2});
  assert(false, "this model cannot be used");
  p.v = g(2);
end M;
//| fail_rules_of_use.mo:30:16: warning: `there` has a condition, and is used in an expression [W226]
//|   30 |   Real x = 1 + there, a[2], b[2];
//|      |                ^~~~~
//| fail_rules_of_use.mo:32:14: error: `w.part.p` lies too deep inside to be connected here [E386]
//|   32 |   connect(p, w.part.p);
//|      |              ^~~~~~~~
//| fail_rules_of_use.mo:33:12: error: `two` has 2 outputs and is called element by element [E385]
//|   33 |   (a, b) = two({1, 2});
//|      |            ^~~~~~~~~~~
//| fail_rules_of_use.mo:34:3: error: the assertion never holds: this model cannot be used [E382]
//|   34 |   assert(false, "this model cannot be used");
//|      |   ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
//| fail_rules_of_use.mo:35:9: error: `g` is not a function [E315]
//|   35 |   p.v = g(2);
//|      |         ^~~~
