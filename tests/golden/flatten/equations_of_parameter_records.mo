// class: M
package P
  record R
    Real a;
    Real b;
  end R;
  record Sized
    parameter Integer n = 2;
    Real v[n];
  end Sized;
  model Source "the parameter stands on either side"
    parameter R V;
    R p, n, q;
  equation
    V = p;
    q = V;
    n.a = p.b;
    n.b = 2*p.a;
  end Source;
  model Found "by initial equations"
    parameter R V(a(fixed = false), b(fixed = false));
    R x(a(start = 1, fixed = true), b(start = 2, fixed = true));
  initial equation
    V = x;
  equation
    der(x.a) = -V.a;
    der(x.b) = -V.b;
  end Found;
  model Sizes
    Sized s, t;
  equation
    s = t;
    t.v = {time, 2*time};
  end Sizes;
end P;
model M
  P.Source s(V(a = 3, b = 4));
  P.Found f;
  P.Sizes z;
end M;
//| model M
//|   Real startTime(fixed = true) = 0;
//|   Real finalTime(fixed = true) = 1;
//|   parameter Real s.V.a(fixed = true) = 3;
//|   parameter Real s.V.b(fixed = true) = 4;
//|   Real s.p.a;
//|   Real s.p.b;
//|   Real s.n.a;
//|   Real s.n.b;
//|   Real s.q.a;
//|   Real s.q.b;
//|   parameter Real f.V.a;
//|   parameter Real f.V.b;
//|   Real f.x.a(start = 1, fixed = true);
//|   Real f.x.b(start = 2, fixed = true);
//|   parameter Integer z.s.n(fixed = true) = 2;
//|   Real z.s.v[2];
//|   parameter Integer z.t.n(fixed = true) = 2;
//|   Real z.t.v[2];
//| initial equation
//|   f.V.a = f.x.a;
//|   f.V.b = f.x.b;
//| equation
//|   s.V.a = s.p.a;
//|   s.V.b = s.p.b;
//|   s.q.a = s.V.a;
//|   s.n.b = s.p.a*2;
//|   0 = der(f.x.a) + f.V.a;
//|   0 = der(f.x.b) + f.V.b;
//|   z.t.v[2] = time*2;
//|   // 5 more like `s.V.a = s.p.a`
//| end M;
