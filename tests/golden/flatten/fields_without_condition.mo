// class: M
model M
  DomainLineSegment1D omega(N = 6);
  field Real u(domain = omega), w(domain = omega);
equation
  der(u) = pder(u, x, x) indomain omega;
  der(w) = pder(w, x, x) indomain omega;
  u = 0 indomain omega.left;
  w = 0 indomain omega.left;
  w = extrapolateField(w) indomain omega.right;
end M;
//| fields_without_condition.mo:6:3: warning: `u` has no condition on the side `omega.right`: it is extrapolated [W501]
//|   6 |   der(u) = pder(u, x, x) indomain omega;
//|     |   ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
//| model M
//|   Real startTime(fixed = true) = 0;
//|   Real finalTime(fixed = true) = 1;
//|   parameter Real omega.x0(fixed = true) = 0;  // coordinate of the left side
//|   parameter Real omega.L(min = 0, fixed = true) = 1;  // length
//|   parameter Integer omega.N(fixed = true) = 6;  // number of points
//|   parameter Real omega.dx(fixed = true) = omega.L/(omega.N - 1);  // mean distance of points
//|   parameter Real omega.x[6](fixed = true) = {omega.x0 + omega.L*grading(0/(omega.N - 1)), omega.x0 + omega.L*grading(1/(omega.N - 1)), omega.x0 + omega.L*grading(2/(omega.N - 1)), …};  // coordinate
//|   Real u[6];
//|   Real w[6];
//| equation
//|   der(u[2]) = (u[1] + (u[3] - u[2]*2))/omega.dx^2;
//|   der(u[3]) = (u[2] + (u[4] - u[3]*2))/omega.dx^2;
//|   der(u[4]) = (u[3] + (u[5] - u[4]*2))/omega.dx^2;
//|   0 = der(u[6]);
//|   0 = der(w[6]);
//|   0 = u[1];
//|   // 5 more like `der(u[2]) = (u[1] + (u[3] - u[2]*2))/omega.dx^2`
//|   // 1 more like `0 = der(u[6])`
//| function grading(s) -> (z)
//|   z := s;
//| end grading;
//| end M;
