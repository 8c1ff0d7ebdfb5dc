// class: Pipe
model Pipe
  parameter Real v = 1;
  DomainLineSegment1D omega(N = 9);
  field Real c(domain = omega);
  Real out;
initial equation
  c = omega.x^2;
equation
  der(c) + v*pder(c, x) = 0 indomain omega;
  c = 1 indomain omega.left;
  out = c indomain omega.right;
end Pipe;
//| model Pipe
//|   Real startTime(fixed = true) = 0;
//|   Real finalTime(fixed = true) = 1;
//|   parameter Real v(fixed = true) = 1;
//|   parameter Real omega.x0(fixed = true) = 0;  // coordinate of the left side
//|   parameter Real omega.L(min = 0, fixed = true) = 1;  // length
//|   parameter Integer omega.N(fixed = true) = 9;  // number of points
//|   parameter Real omega.dx(fixed = true) = omega.L/(omega.N - 1);  // mean distance of points
//|   parameter Real omega.x[9](fixed = true) = {omega.x0 + omega.L*grading(0/(omega.N - 1)), omega.x0 + omega.L*grading(1/(omega.N - 1)), omega.x0 + omega.L*grading(2/(omega.N - 1)), …};  // coordinate
//|   Real c[9];
//|   Real out;
//| initial equation
//|   c[2] = omega.x[2]^2;
//|   c[3] = omega.x[3]^2;
//|   c[4] = omega.x[4]^2;
//|   // 5 more like `c[2] = omega.x[2]^2`
//| equation
//|   0 = v*(if v >= 0 then (c[3] - c[1])/(omega.dx*2) else (c[3]*4 - (c[4] + c[2]*3))/(omega.dx*2)) + der(c[2]);
//|   0 = (if v >= 0 then (c[1] + c[3]*3 - c[2]*4)/(omega.dx*2) else (c[4]*4 - (c[5] + c[3]*3))/(omega.dx*2))*v + der(c[3]);
//|   0 = (if v >= 0 then (c[2] + c[4]*3 - c[3]*4)/(omega.dx*2) else (c[5]*4 - (c[6] + c[4]*3))/(omega.dx*2))*v + der(c[4]);
//|   0 = (if v >= 0 then (c[3] + c[5]*3 - c[4]*4)/(omega.dx*2) else (c[6]*4 - (c[7] + c[5]*3))/(omega.dx*2))*v + der(c[5]);
//|   0 = der(c[8]) + (if v >= 0 then (c[6] + c[8]*3 - c[7]*4)/(omega.dx*2) else (c[9] - c[7])/(omega.dx*2))*v;
//|   0 = der(c[9]) + (c[7] + c[9]*3 - c[8]*4)/(omega.dx*2)*v;
//|   c[1] = 1;
//|   out = c[9];
//|   // 2 more like `0 = (if v >= 0 then (c[1] + c[3]*3 - c[2]*4)/(omega.dx*2) else (c[4]*4 - (c[5] + c[3]*3))/(omega.dx*2))*v + der(c[3])`
//| function grading(s) -> (z)
//|   z := s;
//| end grading;
//| end Pipe;
