// class: M
connector C
  Real e;
  flow Real f;
end C;
model R
  C p;
equation
  p.e = 2*p.f;
end R;
model M
  R a[2], b[2];
equation
  for i in 1:2 loop
    connect(a[if i == 1 then 2 else 1].p, b[i].p);
  end for;
end M;
//| model M
//|   Real startTime(fixed = true) = 0;
//|   Real finalTime(fixed = true) = 1;
//|   Real a[2].p.e;
//|   Real a[2].p.f;
//|   Real b[2].p.e;
//|   Real b[2].p.f;
//| equation
//|   a[1].p.e = a[1].p.f*2;
//|   a[2].p.e = a[2].p.f*2;
//|   b[1].p.e = b[1].p.f*2;
//|   a[2].p.e = b[1].p.e;
//|   a[1].p.e = b[2].p.e;
//|   0 = a[2].p.f + b[1].p.f;
//|   0 = a[1].p.f + b[2].p.f;
//|   // 1 more like `a[1].p.e = a[1].p.f*2`
//| end M;
