// class: M
function substring
  input String text;
  input Integer first, last;
  output String part;
external "C" part = ModelicaStrings_substring(text, first, last);
end substring;
function gcd
  input Integer a, b;
  output Integer d;
algorithm
  d := if b == 0 then a else gcd(b, mod(a, b));
end gcd;
function positive
  input Real x[:];
  output Integer n;
protected
  String text = "abc";
algorithm
  n := sum(if x[i] > 0 then 1 else 0 for i in 1:size(x, 1));
end positive;
model M
  parameter String group = "Dyn5";
  parameter Integer n = 12;
  Real a = if substring(group, 1, 1) == "D" then time else 2*time;
  Real b = gcd(n, 18)*time;
  Real c[gcd(n, 9)] = fill(time, gcd(n, 9));
  Real d = positive({1, -2, 3})*time;
end M;
//| model M
//|   Real startTime(fixed = true) = 0;
//|   Real finalTime(fixed = true) = 1;
//|   parameter Integer n(fixed = true) = 12;
//|   Real a;
//|   Real b;
//|   Real c[3];
//|   Real d;
//| equation
//|   a = time;
//|   b = time*6;
//|   c[1] = time;
//|   c[2] = time;
//|   d = time*2;
//|   // 1 more like `a = time`
//| end M;
