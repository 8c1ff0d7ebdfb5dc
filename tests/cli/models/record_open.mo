package RecordOpen "records whose arrays have the sizes of what they are given"
  record R
    Real v[:];
    Real k = 1;
  end R;
  record S
    R r;
    Real w[size(r.v, 1)];
  end S;
  function twice
    input R r;
    output R s(v = 2*r.v, k = r.k);
  algorithm
  end twice;
  function total
    input R r[:];
    output Real y;
  algorithm
    y := 0;
    for i in 1:size(r, 1) loop
      y := y + sum(r[i].v)*r[i].k;
    end for;
  end total;
  model A
    Real x = 1 + time;
    R r = R({x, 2*x});
    Real y = sum(r.v);
  end A;
  model B
    Real x = 1 + time;
    R r(v = {x, 2*x});
    R s = twice(r);
    Real y = sum(s.v);
  end B;
  model C
    Real x = 1 + time;
    R r(v = {x, 2*x});
    Real y = total({r, R({3, 4*x}, 2)});
  end C;
  model D
    parameter R r = R({1, 2}, 3);
    parameter R s = twice(r);
    Real y = total({r, s});
  end D;
  model E
    Real x = 1 + time;
    S s(r(v = {x, 2*x}), w = {1, 2});
    S t = s;
    Real y = sum(t.w) + sum(t.r.v);
  end E;
end RecordOpen;
