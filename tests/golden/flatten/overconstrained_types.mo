// class: M
package P
  constant Integer m = 0;
  type Angle
    extends Real(unit = "rad");
    function equalityConstraint
      input Angle a[:];
      input Angle b[:];
      output Real residue[0];
    algorithm
      for i in 1:size(a, 1) loop
        assert(abs(a[i] - b[i]) < 1e-9, "angles differ");
      end for;
    end equalityConstraint;
  end Angle;
  connector Pin
    parameter Integer n = 1;
    Real v;
    flow Real i;
    Angle theta[n] "of one node of the graph, however many there are";
  end Pin;
  model Source
    parameter Integer n = 1;
    Pin p(n = n);
  equation
    Connections.potentialRoot(p.theta);
    p.v = 1;
    if Connections.isRoot(p.theta) then
      p.theta = fill(2*time, n);
    end if;
  end Source;
  model Load
    parameter Integer n = 1;
    Pin p(n = n), q(n = n);
  equation
    Connections.branch(p.theta, q.theta);
    p.theta = q.theta;
    p.i + q.i = 0;
    p.v - q.v = 2*p.i;
  end Load;
  model Circuit
    parameter Integer n = 1;
    Source a(n = n), b(n = n);
    Load r(n = n);
  equation
    connect(a.p, r.p);
    connect(r.q, b.p);
  end Circuit;
end P;
model M
  P.Circuit one(n = 1), none(n = 0);
end M;
//| model M
//|   Real startTime(fixed = true) = 0;
//|   Real finalTime(fixed = true) = 1;
//|   parameter Integer one.n(fixed = true) = 1;
//|   parameter Integer one.a.n(fixed = true) = one.n;
//|   parameter Integer one.a.p.n(fixed = true) = one.a.n;
//|   Real one.a.p.v;
//|   Real one.a.p.i;
//|   Real one.a.p.theta[1](unit = "rad");  // of one node of the graph, however many there are
//|   parameter Integer one.b.n(fixed = true) = one.n;
//|   parameter Integer one.b.p.n(fixed = true) = one.b.n;
//|   Real one.b.p.v;
//|   Real one.b.p.i;
//|   Real one.b.p.theta[1](unit = "rad");  // of one node of the graph, however many there are
//|   parameter Integer one.r.n(fixed = true) = one.n;
//|   parameter Integer one.r.p.n(fixed = true) = one.r.n;
//|   Real one.r.p.v;
//|   Real one.r.p.i;
//|   Real one.r.p.theta[1](unit = "rad");  // of one node of the graph, however many there are
//|   parameter Integer one.r.q.n(fixed = true) = one.r.n;
//|   Real one.r.q.v;
//|   Real one.r.q.i;
//|   Real one.r.q.theta[1](unit = "rad");  // of one node of the graph, however many there are
//|   parameter Integer none.n(fixed = true) = 0;
//|   parameter Integer none.a.n(fixed = true) = none.n;
//|   parameter Integer none.a.p.n(fixed = true) = none.a.n;
//|   Real none.a.p.v;
//|   Real none.a.p.i;
//|   parameter Integer none.b.n(fixed = true) = none.n;
//|   parameter Integer none.b.p.n(fixed = true) = none.b.n;
//|   Real none.b.p.v;
//|   Real none.b.p.i;
//|   parameter Integer none.r.n(fixed = true) = none.n;
//|   parameter Integer none.r.p.n(fixed = true) = none.r.n;
//|   Real none.r.p.v;
//|   Real none.r.p.i;
//|   parameter Integer none.r.q.n(fixed = true) = none.r.n;
//|   Real none.r.q.v;
//|   Real none.r.q.i;
//| equation
//|   one.a.p.v = 1;
//|   one.a.p.theta[1] = time*2;
//|   one.b.p.v = 1;
//|   one.r.p.theta[1] = one.r.q.theta[1];
//|   0 = one.r.p.i + one.r.q.i;
//|   one.r.p.v - one.r.q.v = one.r.p.i*2;
//|   none.a.p.v = 1;
//|   0 = none.r.p.i + none.r.q.i;
//|   none.r.p.v - none.r.q.v = none.r.p.i*2;
//|   one.a.p.v = one.r.p.v;
//|   one.a.p.theta[1] = one.r.p.theta[1];
//|   0 = one.a.p.i + one.r.p.i;
//|   // 1 more like `one.a.p.v = 1`
//|   // 4 more like `one.r.p.theta[1] = one.r.q.theta[1]`
//|   // 3 more like `0 = one.r.p.i + one.r.q.i`
//| end M;
