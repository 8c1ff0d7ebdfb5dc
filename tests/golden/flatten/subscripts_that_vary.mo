// class: M
type Logic = enumeration(low, high, unknown);
model M
  constant Integer nand[Logic, Logic] = {{2, 2, 2}, {2, 1, 3}, {2, 3, 3}};
  Real x[3] = {time, 2*time, 3*time};
  Integer k = if time < 1 then 1 else 3;
  Logic a = if time < 2 then Logic.low else Logic.high;
  Boolean b = time > 3;
  Real perBoolean[Boolean] = {4, 5};
  Real y = x[k];
  Integer n = nand[a, Logic.high];
  Real z = perBoolean[b];
end M;
//| model M
//|   Real startTime(fixed = true) = 0;
//|   Real finalTime(fixed = true) = 1;
//|   Real x[3];
//|   Integer k;
//|   enumeration a;
//|   Boolean b;
//|   Real perBoolean[2];
//|   Real y;
//|   Integer n;
//|   Real z;
//| equation
//|   x[1] = time;
//|   x[2] = time*2;
//|   x[3] = time*3;
//|   perBoolean[1] = 4;
//|   perBoolean[2] = 5;
//|   y = if noEvent(k == 1) then x[1] else if noEvent(k == 2) then x[2] else if noEvent(k == 3) then x[3] else NaN;
//|   z = if noEvent(b + 1 == 1) then perBoolean[1] else if noEvent(b + 1 == 2) then perBoolean[2] else NaN;
//| discrete equation
//|   k = if time < 1 then 1 else 3;
//|   a = if time < 2 then 1 else 2;
//|   b = time > 3;
//|   n = if noEvent(a == 1) then 2 else if noEvent(a == 2) then 1 else if noEvent(a == 3) then 3 else NaN;
//| end M;
