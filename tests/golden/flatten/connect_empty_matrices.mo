// class: M
model M
  parameter Integer n = 0;
  connector C
    parameter Integer n = 1;
    Real x[n, n, 2];
    flow Real f[n, n, 2];
  end C;
  C a(n = n), b(n = n);
  Real y = time;
equation
  connect(a, b);
end M;
//| model M
//|   Real startTime(fixed = true) = 0;
//|   Real finalTime(fixed = true) = 1;
//|   parameter Integer n(fixed = true) = 0;
//|   parameter Integer a.n(fixed = true) = n;
//|   parameter Integer b.n(fixed = true) = n;
//|   Real y;
//| equation
//|   y = time;
//| end M;
