package Fields "fields, and the same by hand"
  model Rod "heated at one end, cooled at the other"
    parameter Integer N = 21;
    parameter Real k = 0.3, h = 2, L = 1.5;
    DomainLineSegment1D omega(L = L, N = N);
    field Real T(domain = omega, start = 1 + omega.x^2, fixed = true);
    Real byHand[N](start = {1 + (L*(i - 1)/(N - 1))^2 for i in 1:N}, each fixed = true);
    Real apart = max(abs(T - byHand));
  protected
    parameter Real d = L/(N - 1);
  equation
    der(T) = k*pder(T, x, x) + sin(omega.x) indomain omega;
    -k*pder(T, x) = 1 + sin(3*time) indomain omega.left;
    -k*pder(T, x) = h*(T - 1) indomain omega.right;
    for i in 2:N - 1 loop
      der(byHand[i]) = k*(byHand[i - 1] - 2*byHand[i] + byHand[i + 1])/d^2 + sin((i - 1)*d);
    end for;
    der(byHand[1]) = ((1 + sin(3*time)) - k*(byHand[1] - byHand[2])/d)/(d/2);
    der(byHand[N]) = (k*(byHand[N - 1] - byHand[N])/d - h*(byHand[N] - 1))/(d/2) + sin(L);
  end Rod;

  model Reactor "what flows through reacts"
    parameter Integer N = 31;
    parameter Real v = 0.7, D = 0.02, r = 1.3;
    DomainLineSegment1D omega(N = N);
    field Real c(domain = omega);
    Real byHand[N](start = zeros(N), fixed = cat(1, {false}, fill(true, N - 1)));
    Real apart = max(abs(c - byHand));
  protected
    parameter Real d = 1/(N - 1);
  initial equation
    c = 0 indomain omega;
  equation
    der(c) + v*pder(c, x) = D*pder(c, x, x) - r*c^2 indomain omega;
    c = 1 - exp(-5*time) indomain omega.left;
    pder(c, x) = 0 indomain omega.right;
    byHand[1] = 1 - exp(-5*time);
    der(byHand[2]) = -v*(byHand[3] - byHand[1])/(2*d) + D*(byHand[1] - 2*byHand[2] + byHand[3])/d^2 - r*byHand[2]^2;
    for i in 3:N - 1 loop
      der(byHand[i]) = -v*(3*byHand[i] - 4*byHand[i - 1] + byHand[i - 2])/(2*d) + D*(byHand[i - 1] - 2*byHand[i] + byHand[i + 1])/d^2 - r*byHand[i]^2;
    end for;
    der(byHand[N]) = D*2*(byHand[N - 1] - byHand[N])/d^2 - r*byHand[N]^2;
  end Reactor;

  // what follows has solutions in closed form, and the largest error e

  model Heat "u = exp(-t) sin(x) + x"
    parameter Integer N = 11;
    DomainLineSegment1D omega(N = N);
    field Real u(domain = omega, start = sin(omega.x) + omega.x, fixed = true);
    Real e = max(abs(u - (exp(-time)*sin(omega.x) + omega.x)));
  equation
    der(u) = pder(u, x, x) indomain omega;
    u = 0 indomain omega.left;
    pder(u, x) + u = exp(-time)*(cos(1) + sin(1)) + 2 indomain omega.right;
  end Heat;

  model Conductivity "of 1 + x + u; u = exp(-t) cos(x)"
    parameter Integer N = 11;
    DomainLineSegment1D omega(N = N);
    field Real u(domain = omega, start = cos(omega.x), fixed = true);
    Real s = exp(-time);
    Real e = max(abs(u - s*cos(omega.x)));
  equation
    der(u) = pder((1 + omega.x + u)*pder(u, x), x) - s*cos(omega.x) + (1 - s*sin(omega.x))*s*sin(omega.x) + (1 + omega.x + s*cos(omega.x))*s*cos(omega.x) indomain omega;
    pder(u, x) = 0 indomain omega.left;
    u = s*cos(1) indomain omega.right;
  end Conductivity;

  model Graded "points denser on the left; u = exp(-t) sin(x) + x"
    parameter Integer N = 11;
    function denser
      input Real s;
      output Real z;
    algorithm
      z := (exp(2*s) - 1)/(exp(2) - 1);
    end denser;
    DomainLineSegment1D omega(N = N, redeclare function grading = denser);
    field Real u(domain = omega, start = sin(omega.x) + omega.x, fixed = true);
    Real e = max(abs(u - (exp(-time)*sin(omega.x) + omega.x)));
  equation
    der(u) + pder(u, x) = pder(u, x, x) + exp(-time)*cos(omega.x) + 1 indomain omega;
    u = 0 indomain omega.left;
    pder(u, x) + u = exp(-time)*(cos(1) + sin(1)) + 2 indomain omega.right;
  end Graded;

  model Carried "u = sin(x - v t)"
    parameter Integer N = 11;
    parameter Real v = 1;
    DomainLineSegment1D omega(N = N);
    field Real u(domain = omega, start = sin(omega.x), fixed = true);
    Real e = max(abs(u - sin(omega.x - fill(v*time, N))));
  equation
    der(u) + v*pder(u, x) = 0 indomain omega;
    u = sin(-v*time) indomain omega.left;
  end Carried;

  model CarriedBack "with a velocity that is known at run time; u = sin(x - X)"
    parameter Integer N = 11;
    Real v = -1 - 0.5*sin(time), X(start = 0, fixed = true);
    DomainLineSegment1D omega(N = N);
    field Real u(domain = omega, start = sin(omega.x), fixed = true);
    Real e = max(abs(u - sin(omega.x - fill(X, N))));
  equation
    der(X) = v;
    der(u) = -v*pder(u, x) indomain omega;
    u = sin(1 - X) indomain omega.right;
  end CarriedBack;

  model Burgers "u = 1.5 + 0.2 sin(x - t)"
    parameter Integer N = 11;
    DomainLineSegment1D omega(N = N);
    field Real u(domain = omega, start = 1.5 + 0.2*sin(omega.x), fixed = true);
    Real e = max(abs(u - (fill(1.5, N) + 0.2*sin(omega.x - fill(time, N)))));
  equation
    der(u) + pder(u^2/2, x) = 0.2*cos(omega.x - time)*(0.5 + 0.2*sin(omega.x - time)) indomain omega;
    u = 1.5 - 0.2*sin(time) indomain omega.left;
  end Burgers;

  model Plate "u = exp(-t) sin(x) cos(y)"
    parameter Integer N = 6;
    DomainRectangle2D omega(Lx = 1, Ly = 2, Nx = N, Ny = 2*N - 1);
    field Real u(domain = omega, start = sin(omega.x)*cos(omega.y), fixed = true);
    Real e = sqrt(sum((u[i, j] - exp(-time)*sin(omega.x[i])*cos(omega.y[j]))^2 for i in 1:N, j in 1:2*N - 1))/N;
  equation
    der(u) = pder(u, x, x) + pder(u, y, y) + exp(-time)*sin(omega.x)*cos(omega.y) indomain omega;
    u = 0 indomain omega.left;
    pder(u, x) = exp(-time)*cos(1)*cos(omega.y) indomain omega.right;
    pder(u, y) = 0 indomain omega.bottom;
    u = exp(-time)*sin(omega.x)*cos(2) indomain omega.top;
  end Plate;
end Fields;
