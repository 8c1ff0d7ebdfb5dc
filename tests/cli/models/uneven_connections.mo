// Connections of slices of arrays whose elements differ in their sizes.
package UnevenConnections
  connector Pin
    Real v;
    flow Real i;
  end Pin;
  model Wires "n wires in parallel"
    parameter Integer n = 1;
    Pin p;
    Real current[n];
  equation
    current = {k*p.v for k in 1:n};
    p.i = sum(current);
  end Wires;
  model Source
    parameter Real v = 1;
    Pin p;
  equation
    p.v = v*time;
  end Source;
  model Shared "a source behind a resistance, with two pins"
    Pin p[2];
  equation
    p[1].v = 1 + p[1].i + p[2].i;
    p[1].v = p[2].v;
  end Shared;
  model M
    Wires a[3](n = {1, 2, 3}), b[4](n = {2, 1, 2, 1}), c[2, 2](n = {{1, 2}, {3, 4}});
    Source s[3](v = {1, 2, 3}), t[2, 2](v = {{1, 2}, {3, 4}});
    Shared shared;
  equation
    connect(a.p, s.p);
    connect(b[1:2].p, shared.p);
    connect(b[{4, 3}].p, a[2:3].p);
    connect(c[2, :].p, t[2, :].p);
    connect(c[1, :].p, t[1, {2, 1}].p);
  end M;
  model Unequal
    Wires a[3](n = {1, 2, 3});
    Source s[3];
  equation
    connect(a[1:2].p, s.p);
  end Unequal;
end UnevenConnections;
