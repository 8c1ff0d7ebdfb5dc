package FieldsInParts "fields in components, arrays and connectors, and other forms of equations"
  model Bar "conditions come from outside"
    parameter Integer N = 11;
    parameter Real k = 1;
    DomainLineSegment1D omega(N = N);
    field Real T(domain = omega, start = 1);
  equation
    der(T) = k*pder(T, x, x) indomain omega;
  end Bar;

  model Outside "in the end T = 2 - x where the bar radiates, straight lines elsewhere"
    Bar radiates(T(start = 2 + radiates.omega.x)), bar[2];
    Real heat;
  equation
    radiates.T = 2 indomain radiates.omega.left;
    pder(radiates.T, x) = -radiates.T^4 indomain radiates.omega.right;
    heat = -pder(radiates.T, x) indomain radiates.omega.right;
    for i in 1:2 loop
      bar[i].T = i indomain bar[i].omega.left;
    end for;
    pder(bar[1].T, x) = 3 indomain bar[1].omega.right;
    pder(bar[2].T, x) = 4 indomain bar[2].omega.right;
  end Outside;

  connector Port
    Real T;
    flow Real Q;
  end Port;
  model Wall
    extends Bar;
    Port a, b;
  equation
    a.T = T indomain omega.left;
    a.Q = -k*pder(T, x) indomain omega.left;
    b.T = T indomain omega.right;
    b.Q = k*pder(T, x) indomain omega.right;
  end Wall;
  model Bath
    parameter Real T = 2;
    Port p;
  equation
    p.T = T;
  end Bath;
  model InSeries "1.5 flows in the end: 3.5 in the middle"
    Wall u, v(k = 3);
    Bath cold(T = 2), warm(T = 4);
  equation
    connect(cold.p, u.a);
    connect(u.b, v.a);
    connect(v.b, warm.p);
  end InSeries;

  model Species "an array of fields: k/D (x - x^2/2) in the end"
    DomainLineSegment1D omega(N = 11);
    field Real c[2](domain = omega, each start = 0, each fixed = true);
    field parameter Real source(domain = omega) = 2;
    parameter field Real D(domain = omega) = 1 + 0*omega.x;
  equation
    for k in 1:2 loop
      der(c[k]) = pder(D*pder(c[k], x), x) + k*source indomain omega;
      c[k] = 0 indomain omega.left;
      pder(c[k], x) = 0 indomain omega.right;
    end for;
  end Species;

  model Wave "of second order in time; cos(pi t) in the middle"
    constant Real pi = 3.14159265358979323846;
    parameter Integer N = 11;
    DomainLineSegment1D omega(N = N);
    field Real u(domain = omega, start = sin(pi*omega.x), fixed = true);
    field Real v(domain = omega, start = 0, fixed = true);
    Real e = abs(u[div(N + 1, 2)] - cos(pi*time));
  equation
    der(u) = v indomain omega;
    der(v) = pder(u, x, x) indomain omega;
    u = 0 indomain omega.left;
    u = 0 indomain omega.right;
  end Wave;

  model Poisson "without time: x (1 - x)/2"
    DomainLineSegment1D omega(N = 11);
    field Real u(domain = omega);
  equation
    pder(u, x, x) + 1 = 0 indomain omega;
    u = 0 indomain omega.left;
    u = 0 indomain omega.right;
  end Poisson;

  model Balance "the flux is a field; u = exp(-t) cos(x), conductivity 1 + x"
    parameter Integer N = 11;
    DomainLineSegment1D omega(N = N);
    field Real u(domain = omega, start = cos(omega.x), fixed = true), q(domain = omega);
    Real s = exp(-time);
    Real e = max(abs(u - s*cos(omega.x)));
  equation
    q = -(1 + omega.x)*pder(u, x) indomain omega;
    der(u) + pder(q, x) = -s*cos(omega.x) + s*sin(omega.x) + (1 + omega.x)*s*cos(omega.x) indomain omega;
    q = 0 indomain omega.left;
    u = s*cos(1) indomain omega.right;
  end Balance;

  model Breathing "flow in both directions: what comes in is given, what goes out extrapolated"
    parameter Integer N = 21;
    DomainLineSegment1D omega(N = N);
    field Real c(domain = omega, start = 0.5, fixed = true);
    Real v = cos(3*time), left;
  equation
    der(c) + v*pder(c, x) = 0 indomain omega;
    c = if v > 0 then 1 else extrapolateField(c) indomain omega.left;
    c = if v > 0 then extrapolateField(c) else 0 indomain omega.right;
    left = c indomain omega.left;
  end Breathing;

  model Front "a step that is carried; as much is inside as has come in"
    parameter Real v = 1;
    parameter String scheme = "limited";
    DomainLineSegment1D omega(N = 101, scheme = scheme);
    field Real u(domain = omega, start = 0, fixed = true, nominal = 1);
    Real inside = integral(u, omega);
  equation
    der(u) + v*pder(u, x) = 0 indomain omega;
    u = 1 indomain omega.left;
  end Front;

  model Shock "moves with half the speed behind it"
    DomainLineSegment1D omega(N = 101);
    field Real u(domain = omega, start = 0, fixed = true, nominal = 1);
    Real inside = integral(u, omega);
  equation
    der(u) + pder(u^2/2, x) = 0 indomain omega;
    u = 1 indomain omega.left;
  end Shock;

  model Integrals
    DomainRectangle2D omega(Lx = 2, Ly = 3, Nx = 21, Ny = 31);
    Real area = integral(1 + 0*omega.x*omega.y, omega), first = integral(omega.x*omega.y, omega);
    Real edge = integral(omega.y^2, omega.right), slope = integral(pder(u, x), omega);
    field Real u(domain = omega);
  equation
    u = omega.x^2 indomain omega;
  end Integrals;
end FieldsInParts;
