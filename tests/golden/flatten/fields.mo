// class: Rod
model Rod
  DomainLineSegment1D omega(L = 2, N = 8);
  field Real T(domain = omega, start = 1 + omega.x, fixed = true, max = 9);
  Real q "reads the side";
equation
  der(T) = 3*pder(T, x, x) + omega.x indomain omega;
  T = time indomain omega.left;
  pder(T, x) = 5 - T indomain omega.right;
  q = pder(T, x) indomain omega.left;
end Rod;
//| model Rod
//|   Real startTime(fixed = true) = 0;
//|   Real finalTime(fixed = true) = 1;
//|   parameter Real omega.x0(fixed = true) = 0;  // coordinate of the left side
//|   parameter Real omega.L(min = 0, fixed = true) = 2;  // length
//|   parameter Integer omega.N(fixed = true) = 8;  // number of points
//|   parameter Real omega.dx(fixed = true) = omega.L/(omega.N - 1);  // mean distance of points
//|   parameter Real omega.x[8](fixed = true) = {omega.x0 + omega.L*grading(0/(omega.N - 1)), omega.x0 + omega.L*grading(1/(omega.N - 1)), omega.x0 + omega.L*grading(2/(omega.N - 1)), …};  // coordinate
//|   Real T[8](start = {omega.x[1] + 1, omega.x[2] + 1, omega.x[3] + 1, …}, max = 9, fixed of some elements);
//|   Real q;  // reads the side
//|   Real pder(T,x,right);
//| equation
//|   der(T[2]) = 3*((T[1] + (T[3] - T[2]*2))/omega.dx^2) + omega.x[2];
//|   der(T[3]) = 3*((T[2] + (T[4] - T[3]*2))/omega.dx^2) + omega.x[3];
//|   der(T[4]) = 3*((T[3] + (T[5] - T[4]*2))/omega.dx^2) + omega.x[4];
//|   der(T[8]) = 3*((pder(T,x,right) - (T[8] - T[7])/omega.dx)/(0.5*omega.dx)) + omega.x[8];
//|   T[1] = time;
//|   pder(T,x,right) = 5 - T[8];
//|   q = (T[2]*4 - (T[3] + T[1]*3))/(omega.dx*2);
//|   // 3 more like `der(T[2]) = 3*((T[1] + (T[3] - T[2]*2))/omega.dx^2) + omega.x[2]`
//| function grading(s) -> (z)
//|   z := s;
//| end grading;
//| end Rod;
