// class: M
model M
  parameter Boolean linear = true;
  parameter Real limit = 2;
  Real x, y, z, w;
equation
  if linear then
    x = time;
  else
    x = time^2;
    z = 3;
  end if;
  if x > limit then
    y = limit;
    z = 1;
  else
    y = x;
    z = 0;
  end if;
  w = if linear then x else y;
  assert(limit > 0, "the limit must be positive");
end M;
//| model M
//|   Real startTime(fixed = true) = 0;
//|   Real finalTime(fixed = true) = 1;
//|   parameter Boolean linear(fixed = true) = 1;
//|   parameter Real limit(fixed = true) = 2;
//|   Real x;
//|   Real y;
//|   Real z;
//|   Real w;
//| equation
//|   x = time;
//|   y = if x > limit then limit else x;
//|   z = if x > limit then 1 else 0;
//|   w = x;
//|   assert(limit > 0, "the limit must be positive");
//| end M;
