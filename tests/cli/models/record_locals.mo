package RecordLocals "records that are local to functions begin with what their declarations say"
  record A
    Real a = 1;
    Real b = 2;
    Real v[2] = {3, 4};
  end A;
  record B
    A inner1;
    Real c = 5;
  end B;
  function f
    input Real u;
    output Real y;
  protected
    A r(a = 2*u, v = {u, u});
    B s(inner1(a = 10*u), c = r.a);
    A t = A(a = u);
    A q;
  algorithm
    y := 0;
    for i in 1:integer(min(3, u)) loop
      y := y + r.a + r.b + r.v[1] + s.inner1.a + s.inner1.b + s.c + t.a + q.b + q.v[2];
    end for;
  end f;
  function g
    input Real u;
    output Real y;
  protected
    A r(a = 2*u, v = {u, u});
    B s(inner1(a = 10*u), c = r.a);
    A t = A(a = u);
    A q;
  algorithm
    y := r.a + r.b + r.v[1] + s.inner1.a + s.inner1.b + s.c + t.a + q.b + q.v[2];
  end g;
  function h "an array of records"
    input Real u;
    output Real y;
  protected
    A r[2](a = {u, 2*u}, each v = {u, 1});
    A s[2](each a = u);
  algorithm
    y := r[1].a + 10*r[2].a + r[1].v[2] + r[2].v[1] + s[2].a + s[1].b;
  end h;
  model M
    Real x = f(3 + time);
    Real y = g(3 + time);
    parameter Real p = f(3);
    parameter Real q = g(3);
    Real z = h(3 + time);
    parameter Integer n = integer(f(3));
    Real at_compile_time[n] = fill(1.0, n);
  end M;
end RecordLocals;
