// class: M
model M
  parameter Integer n = 3;
  Real x[n](each start = 0), v(start = 1);
  discrete Real last[n];
  Boolean top;
  Integer count(start = 0, fixed = true);
  discrete Real a, b;
equation
  der(x) = fill(1.0, n);
  der(v) = -1;
  top = v < 0;
  for i in 1:n loop
    when x[i] > i then
      last[i] = time + pre(x[i]);
      reinit(x[i], 0);
    end when;
  end for;
  when {top, initial()} then
    count = if v > 1 then pre(count) + 1 else 0;
    reinit(v, -0.5*pre(v));
    assert(count < 9, "bounce " + String(count), level = AssertionLevel.warning);
  end when;
  when sample(0, 0.5) then
    (a, b) = two(v);
  elsewhen time > 3 then
    a = 0;
    if count > 2 then
      b = 1;
    else
      b = pre(b);
      terminate("few bounces");
    end if;
  end when;
end M;
function two
  input Real u;
  output Real y = 2*u, z = 3*u;
algorithm
end two;
//| model M
//|   Real startTime(fixed = true) = 0;
//|   Real finalTime(fixed = true) = 1;
//|   parameter Integer n(fixed = true) = 3;
//|   Real x[3](start = 0, stateSelect = StateSelect.always);
//|   Real v(start = 1, stateSelect = StateSelect.always);
//|   discrete Real last[3];
//|   Boolean top;
//|   Integer count(start = 0, fixed = true);
//|   discrete Real a;
//|   discrete Real b;
//|   Boolean $when1[3];
//|   Boolean $when2;
//|   Boolean $when3;
//| initial equation
//|   v = pre(v)*(-0.5);
//| equation
//|   der(x[1]) = 1;
//|   der(x[2]) = 1;
//|   der(x[3]) = 1;
//|   der(v) = -1;
//| discrete equation
//|   top = v < 0;
//|   $when1[1] = x[1] > 1;
//|   $when1[2] = x[2] > 2;
//|   $when1[3] = x[3] > 3;
//|   last[1] = if if initial() then 0 else $when1[1] and not pre($when1[1]) then time + pre(x[1]) else pre(last[1]);
//|   last[2] = if if initial() then 0 else $when1[2] and not pre($when1[2]) then time + pre(x[2]) else pre(last[2]);
//|   last[3] = if if initial() then 0 else $when1[3] and not pre($when1[3]) then time + pre(x[3]) else pre(last[3]);
//|   count = if if initial() then 1 else top and not pre(top) then noEvent(if v > 1 then pre(count) + 1 else 0) else pre(count);
//|   $when2 = $sample1;
//|   a = if if initial() then 0 else $when2 and not pre($when2) then two(v) else if if initial() then 0 else $when3 and not pre($when3) then 0 else pre(a);
//|   b = if if initial() then 0 else $when2 and not pre($when2) then two(v)[2] else if if initial() then 0 else $when3 and not pre($when3) then if noEvent(count > 2) then 1 else pre(b) else pre(b);
//|   // 1 more like `$when1[1] = x[1] > 1`
//| event
//|   when if initial() then 0 else $when1[1] and not pre($when1[1]): reinit(x[1], 0);
//|   when if initial() then 0 else $when1[2] and not pre($when1[2]): reinit(x[2], 0);
//|   when if initial() then 0 else $when1[3] and not pre($when1[3]): reinit(x[3], 0);
//|   when if initial() then 1 else top and not pre(top): reinit(v, pre(v)*(-0.5));
//| source
//|   $sample1 = sample(0, 0.5);
//|   assert(count < 9 or not (if initial() then 1 else top and not pre(top)), "bounce {0}", count, warning);
//|   when not noEvent(count > 2) and (if initial() then 0 else $when3 and not pre($when3)) and not (if initial() then 0 else $when2 and not pre($when2)): terminate("few bounces");
//| function two(u) -> (y, z)
//|   y := u*2;
//|   z := u*3;
//| end two;
//| end M;
