// class: M
model M
  parameter Real period = 0.5;
  parameter Boolean heated = true;
  Real T(start = 20, fixed = true), u;
  Boolean on(start = false, fixed = true);
  discrete Real held(start = 0, fixed = true);
equation
  der(T) = u - 0.1*T;
  u = if on and heated then 5 else 0;
  on = T < 19 or pre(on) and T < 21;
  when sample(0, period) then
    held = T + floor(T/10);
  end when;
  when time > 3 then
    reinit(T, pre(held));
  end when;
  assert(T < 100, "too hot: " + String(T));
end M;
//| problem M
//|   states (1): T
//|   algebraics (0):
//|   controls (0):
//|   shared (16): startTime finalTime heated $relation1 $relation2 on $when1 held $relation3 $when2 $sample1 initial() …
//|   integrals: 0, path constraints: 0, point constraints: 0, point residuals: 0
//|   rates: 1 rows, 1 shapes
//|     row 0 += (if on and heated then 5 else 0) - T*0.1
//|   outputs: 1 rows, 1 shapes
//|     row 0 += if on and heated then 5 else 0
//|   discrete values (7)
//|     $relation1, relation, indicator 0
//|     $relation2, relation, indicator 1
//|     on, with pre
//|     $when1, with pre
//|     held, with pre
//|     $relation3, relation, indicator 2, of time
//|     $when2, with pre
//|   tick $sample1: from 0 every 0.5
//|   reinit of T
//|   assertion "too hot: {0}"
//|   update: 7 rows, 1 shapes
//|     row 0 += T < 19
//|     row 1 += T < 21
//|     row 2 += $relation1 or pre(on) and $relation2
//|     row 3 += $sample1
//|     row 6 += $relation3
//|     row 4 += if if initial() then 0 else $when1 and not pre($when1) then noEvent(T + floor(T/10)) else pre(held)
//|     row 5 += 3 < time
//|   indicators: 3 rows, 1 shapes
//|     row 0 += T - 19
//|     row 1 += T - 21
//|     row 2 += 3 - time
//|   reinit: 2 rows, 1 shapes
//|     row 0 += if initial() then 0 else $when2 and not pre($when2)
//|     row 1 += pre(held)
//|   conditions: 2 rows, 1 shapes
//|     row 0 += T < 100
//|     row 1 += T
//| end M
