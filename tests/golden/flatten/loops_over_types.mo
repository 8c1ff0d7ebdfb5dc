// class: M
type E = enumeration(one, two);
model M
  Real x[E], y[Boolean], z[3], w[2, Boolean];
algorithm
  for e loop
    x[e] := Integer(e);
  end for;
  for b in false:true loop
    y[b] := if b then time else 0;
  end for;
  for i loop
    z[i] := i*time;
  end for;
equation
  for i, b loop
    w[i, b] = i*y[b];
  end for;
end M;
//| model M
//|   Real startTime(fixed = true) = 0;
//|   Real finalTime(fixed = true) = 1;
//|   Real x[2];
//|   Real y[2];
//|   Real z[3];
//|   Real w[2,2];
//| equation
//|   w[1,1] = y[1]*1;
//|   w[1,2] = y[2]*1;
//|   w[2,1] = y[1]*2;
//|   x[1] = algorithm(time);
//|   x[2] = algorithm(time)[2];
//|   y[1] = algorithm(time)[3];
//|   // 1 more like `w[1,1] = y[1]*1`
//|   // 4 more like `x[1] = algorithm(time)`
//| function algorithm(time) -> (x[:], y[:], z[:])
//|   array x[2]
//|   array y[2]
//|   array z[3]
//|   array table[2] = {1, 2}
//|   array table[2] = {0, 1}
//|   array table[3] = {1, 2, 3}
//|   for e in 1:1:2 loop
//|     table := table[e - 1];
//|     x[table - 1] := table;
//|   end
//|   for b in 1:1:2 loop
//|     table := table[b - 1];
//|     y[table + 1 - 1] := if table then time else 0;
//|   end
//|   for i in 1:1:3 loop
//|     table := table[i - 1];
//|     z[table - 1] := table*time;
//|   end
//| end algorithm;
//| end M;
