// class: M
model M
  Real x(start = 1, fixed = true, nominal = 1e300);
  Real y(start = 1e12, fixed = true, nominal = 1);
  Real z(start = 0, fixed = true, nominal = 1e300);
  input Real u(min = -2, max = 2, nominal = 1e20);
  Real usual(start = 1e5, fixed = true, nominal = 1e-3, max = 1e9);
equation
  der(x) = u;
  der(y) = 1;
  der(z) = 1;
  der(usual) = 1;
end M;
//| odd_nominal.mo:3:45: warning: the nominal value 1e+300 of `x` is far from its start value 1 [W414]
//|   3 |   Real x(start = 1, fixed = true, nominal = 1e300);
//|     |                                             ^~~~~
//| odd_nominal.mo:4:48: warning: the nominal value 1 of `y` is far from its start value 1e+12 [W414]
//|   4 |   Real y(start = 1e12, fixed = true, nominal = 1);
//|     |                                                ^
//| odd_nominal.mo:6:45: warning: the nominal value 1e+20 of `u` is far from its bounds, up to 2 [W414]
//|   6 |   input Real u(min = -2, max = 2, nominal = 1e20);
//|     |                                             ^~~~
//| problem M
//|   states (4): x y z usual
//|   algebraics (0):
//|   controls (1): u
//|   shared (2): startTime finalTime
//|   integrals: 0, path constraints: 0, point constraints: 0, point residuals: 0
//|   rates: 4 rows, 1 shapes
//|     row 0 += u
//|     row 1 += 1
//|     row 2 += 1
//|     row 3 += 1
//| end M
