// class: Plate
model Plate
  DomainRectangle2D omega(Nx = 4, Ny = 5);
  field Real T(domain = omega);
equation
  der(T) = pder(T, x, x) + pder(T, y, y) indomain omega;
  T = omega.y indomain omega.left;
  pder(T, x) = 0 indomain omega.right;
  T = 0 indomain omega.bottom;
  pder(T, y) = omega.x indomain omega.top;
end Plate;
//| model Plate
//|   Real startTime(fixed = true) = 0;
//|   Real finalTime(fixed = true) = 1;
//|   parameter Real omega.x0(fixed = true) = 0;  // coordinate of the left side
//|   parameter Real omega.y0(fixed = true) = 0;  // coordinate of the lower side
//|   parameter Real omega.Lx(min = 0, fixed = true) = 1;  // width
//|   parameter Real omega.Ly(min = 0, fixed = true) = 1;  // height
//|   parameter Integer omega.Nx(fixed = true) = 4;  // number of points along x
//|   parameter Integer omega.Ny(fixed = true) = 5;  // number of points along y
//|   parameter Real omega.dx(fixed = true) = omega.Lx/(omega.Nx - 1);
//|   parameter Real omega.dy(fixed = true) = omega.Ly/(omega.Ny - 1);  // mean distances of points
//|   parameter Real omega.x[4](fixed = true) = {omega.x0 + omega.Lx*gradingX(0/(omega.Nx - 1)), omega.x0 + omega.Lx*gradingX(1/(omega.Nx - 1)), omega.x0 + omega.Lx*gradingX(2/(omega.Nx - 1)), …};  // coordinate
//|   parameter Real omega.y[5](fixed = true) = {omega.Ly*gradingY(0/(omega.Ny - 1)) + omega.y0, omega.Ly*gradingY(1/(omega.Ny - 1)) + omega.y0, omega.Ly*gradingY(2/(omega.Ny - 1)) + omega.y0, …};  // coordinate
//|   Real T[4,5];
//|   Real pder(T,x,right)[5];
//|   Real pder(T,y,top)[4];
//| equation
//|   der(T[2,2]) = (T[1,2] + (T[3,2] - T[2,2]*2))/omega.dx^2 + (T[2,1] + (T[2,3] - T[2,2]*2))/omega.dy^2;
//|   der(T[2,3]) = (T[1,3] + (T[3,3] - T[2,3]*2))/omega.dx^2 + (T[2,2] + (T[2,4] - T[2,3]*2))/omega.dy^2;
//|   der(T[2,4]) = (T[1,4] + (T[3,4] - T[2,4]*2))/omega.dx^2 + (T[2,3] + (T[2,5] - T[2,4]*2))/omega.dy^2;
//|   der(T[2,5]) = (pder(T,y,top)[2] - (T[2,5] - T[2,4])/omega.dy)/(0.5*omega.dy) + (T[1,5] + (T[3,5] - T[2,5]*2))/omega.dx^2;
//|   der(T[3,5]) = (pder(T,y,top)[3] - (T[3,5] - T[3,4])/omega.dy)/(0.5*omega.dy) + (T[2,5] + (T[4,5] - T[3,5]*2))/omega.dx^2;
//|   der(T[4,2]) = (pder(T,x,right)[2] - (T[4,2] - T[3,2])/omega.dx)/(0.5*omega.dx) + (T[4,1] + (T[4,3] - T[4,2]*2))/omega.dy^2;
//|   der(T[4,5]) = (pder(T,x,right)[5] - (T[4,5] - T[3,5])/omega.dx)/(0.5*omega.dx) + (pder(T,y,top)[4] - (T[4,5] - T[4,4])/omega.dy)/(0.5*omega.dy);
//|   T[1,1] = omega.y[1];
//|   T[1,2] = omega.y[2];
//|   T[1,3] = omega.y[3];
//|   0 = pder(T,x,right)[1];
//|   0 = pder(T,x,right)[2];
//|   0 = pder(T,x,right)[3];
//|   // 3 more like `der(T[2,2]) = (T[1,2] + (T[3,2] - T[2,2]*2))/omega.dx^2 + (T[2,1] + (T[2,3] - T[2,2]*2))/omega.dy^2`
//|   // 2 more like `der(T[2,5]) = (pder(T,y,top)[2] - (T[2,5] - T[2,4])/omega.dy)/(0.5*omega.dy) + (T[1,5] + (T[3,5] - T[2,5]*2))/omega.dx^2`
//|   // 6 more like `T[1,1] = omega.y[1]`
//|   // 5 more like `0 = pder(T,x,right)[1]`
//| function gradingX(s) -> (z)
//|   z := s;
//| end gradingX;
//| function gradingY(s) -> (z)
//|   z := s;
//| end gradingY;
//| end Plate;
