// class: M
model M
  parameter Real h = 3;
  Real x, l, r;
equation
  der(x) = 1;
  (l, r) = spatialDistribution(sin(time), 2, x, der(x) >= 0, initialValues = {1, h}, initialPoints = {0, 1});
end M;
//| model M
//|   Real startTime(fixed = true) = 0;
//|   Real finalTime(fixed = true) = 1;
//|   parameter Real h(fixed = true) = 3;
//|   Real x;
//|   Real l;
//|   Real r;
//| equation
//|   der(x) = 1;
//|   l = $transported1[1];
//|   r = $transported1[2];
//| source
//|   ($transported1[1], $transported1[2]) = spatialDistribution(sin(time), 2, x, der(x) >= 0, {0, 1}, {1, h});
//| end M;
