// class: M
function search "index of the last knot that is not after x"
  input Real x;
  input Real knots[:];
  output Integer k = 1;
  output Real rest;
algorithm
  while k < size(knots, 1) and knots[k + 1] <= x loop
    k := k + 1;
  end while;
  rest := x - knots[k];
end search;
model M
  Integer k, fixed_k = search(2.5, {0, 1, 2, 3});
  Real rest;
equation
  (k, rest) = search(time, {0, 1, 4});
end M;
//| model M
//|   Real startTime(fixed = true) = 0;
//|   Real finalTime(fixed = true) = 1;
//|   Integer k;
//|   Integer fixed_k;
//|   Real rest;
//| equation
//|   rest = search(time, 0, 1, 4)[2];
//| discrete equation
//|   fixed_k = 3;
//|   k = search(time, 0, 1, 4);
//| function search(x, knots[:]) -> (k, rest)
//|   array knots[4]
//|   k := 1;
//|   while 1 loop
//|     if k < 4 then
//|       knots := knots[k + 1 - 1];
//|       if := knots <= x;
//|     else
//|       if := 0;
//|     end
//|     if not if then
//|       break;
//|     else
//|     end
//|     k := k + 1;
//|   end
//|   knots := knots[k - 1];
//|   rest := x - knots;
//| end search;
//| function search(x, knots[:]) -> (k, rest)
//|   array knots[3]
//|   k := 1;
//|   while 1 loop
//|     if k < 3 then
//|       knots := knots[k + 1 - 1];
//|       if := knots <= x;
//|     else
//|       if := 0;
//|     end
//|     if not if then
//|       break;
//|     else
//|     end
//|     k := k + 1;
//|   end
//|   knots := knots[k - 1];
//|   rest := x - knots;
//| end search;
//| end M;
