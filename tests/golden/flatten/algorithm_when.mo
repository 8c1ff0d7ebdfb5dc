// class: M
block Count
  input Boolean u;
  Real s(start = 0);
  Integer n(start = 0);
  Real w;
equation
  der(s) = 1;
algorithm
  when u then
    n := n + 1;
  elsewhen {initial(), n >= 3} then
    n := 0;
  end when;
  if s > 1 and time < 3 then
    w := der(s);
  end if;
end Count;
model M
  Count c[2];
  Real q(start = 1);
equation
  c.u = {sample(0, 1), q > 3};
algorithm
  when c[1].u then
    q := pre(q) + 1;
  end when;
end M;
//| model M
//|   Real startTime(fixed = true) = 0;
//|   Real finalTime(fixed = true) = 1;
//|   Boolean c[2].u;
//|   Real c[2].s(start = 0);
//|   Integer c[2].n(start = 0);
//|   Real c[2].w;
//|   discrete Real q(start = 1);
//|   Boolean $when1[2];
//| equation
//|   der(c[1].s) = 1;
//|   der(c[2].s) = 1;
//|   c[1].w = algorithm(time, c[1].u, c[1].s, pre(c[1].n), pre(c[1].u), initial(), pre($when1[1]), c[1].s > 1, time < 3, der(c[1].s))[2];
//|   c[2].w = algorithm(time, c[2].u, c[2].s, pre(c[2].n), pre(c[2].u), initial(), pre($when1[2]), c[2].s > 1, time < 3, der(c[2].s))[2];
//| discrete equation
//|   c[1].u = $sample1;
//|   c[2].u = q > 3;
//|   q = algorithm(c[1].u, c[2].u, pre(q), pre(c[1].u), pre(c[2].u), initial());
//|   c[1].n = algorithm(time, c[1].u, c[1].s, pre(c[1].n), pre(c[1].u), initial(), pre($when1[1]), c[1].s > 1, time < 3, der(c[1].s));
//|   c[2].n = algorithm(time, c[2].u, c[2].s, pre(c[2].n), pre(c[2].u), initial(), pre($when1[2]), c[2].s > 1, time < 3, der(c[2].s));
//|   $when1[1] = algorithm(time, c[1].u, c[1].s, pre(c[1].n), pre(c[1].u), initial(), pre($when1[1]), c[1].s > 1, time < 3, der(c[1].s))[3];
//|   $when1[2] = algorithm(time, c[2].u, c[2].s, pre(c[2].n), pre(c[2].u), initial(), pre($when1[2]), c[2].s > 1, time < 3, der(c[2].s))[3];
//| source
//|   $sample1 = sample(0, 1);
//| function algorithm(c.u[:], pre(q), pre(c.u)[:], outside) -> (q)
//|   array c.u[2]
//|   array pre(c.u)[2]
//|   q := pre(q);
//|   c.u := c.u[0];
//|   pre(c.u) := pre(c.u)[0];
//|   fires := if outside then 0 else c.u and not pre(c.u);
//|   if fires then
//|     q := pre(q) + 1;
//|   else
//|   end
//| end algorithm;
//| function algorithm(time, c.u, c.s, pre(c.n), pre(c.u), outside, outside, outside, outside, outside) -> (c.n, c.w, when)
//|   c.n := pre(c.n);
//|   fires := if outside then 0 else c.u and not pre(c.u);
//|   when := c.n >= 3;
//|   fires := if outside then 1 else when and not outside;
//|   if fires then
//|     c.n := c.n + 1;
//|   else
//|     if fires then
//|       c.n := 0;
//|     else
//|     end
//|   end
//|   if outside and outside then
//|     c.w := outside;
//|   else
//|   end
//| end algorithm;
//| end M;
