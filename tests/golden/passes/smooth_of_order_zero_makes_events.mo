// class: M
model M "a kink is an event, what is smooth once is not"
  Real x(start = 0, fixed = true);
  parameter Integer order = 0;
equation
  der(x) = smooth(order, if x < 1 then x else 1) + smooth(1, if x < 2 then x^2 else 4*x - 4) + 1;
end M;
//| problem M
//|   states (1): x
//|   algebraics (0):
//|   controls (0):
//|   shared (3): startTime finalTime $relation1
//|   integrals: 0, path constraints: 0, point constraints: 0, point residuals: 0
//|   rates: 1 rows, 1 shapes
//|     row 0 += 1 + (noEvent(if x < 2 then x^2 else x*4 - 4) + (if $relation1 then x else 1))
//|   discrete values (1)
//|     $relation1, relation, indicator 0
//|   update: 1 rows, 1 shapes
//|     row 0 += x < 1
//|   indicators: 1 rows, 1 shapes
//|     row 0 += x - 1
//| end M
