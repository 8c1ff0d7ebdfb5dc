// class: M
model M "what reinit sets is a state, also where the equations name another derivative"
  Real x(start = 1, fixed = true);
  Real y;
equation
  der(x) = -x;
  y^3 + y = x;
  when x < 0.5 then
    reinit(y, 1);
  end when;
end M;
//| problem M
//|   states (1): y
//|   algebraics (0):
//|   controls (0):
//|   shared (6): startTime finalTime $relation1 $when1 initial() pre($when1)
//|   integrals: 0, path constraints: 0, point constraints: 0, point residuals: 0
//|   rates: 1 rows, 1 shapes
//|     row 0 += -(y + y^3)/(3*y^2 + 1)
//|   initial: 1 rows, 1 shapes
//|     row 0 += y + y^3 - 1
//|   outputs: 2 rows, 1 shapes
//|     row 0 += y + y^3
//|     row 1 += -(y + y^3)
//|   discrete values (2)
//|     $relation1, relation, indicator 0
//|     $when1, with pre
//|   reinit of y
//|   update: 2 rows, 1 shapes
//|     row 0 += y + y^3 < 0.5
//|     row 1 += $relation1
//|   indicators: 1 rows, 1 shapes
//|     row 0 += y + y^3 - 0.5
//|   reinit: 2 rows, 1 shapes
//|     row 0 += if initial() then 0 else $when1 and not pre($when1)
//|     row 1 += 1
//| end M
