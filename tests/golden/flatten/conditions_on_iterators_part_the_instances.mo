// class: M
model M
  Real x[5], total;
equation
  for i in 1:5 loop
    if i == 1 then
      x[i] = time;
    elseif i < 5 then
      x[i] = x[i - 1] + i;
    else
      x[i] = 0;
    end if;
  end for;
  total = sum(if i > j then x[i]*x[j] else 0 for i in 1:2, j in 1:2);
end M;
//| model M
//|   Real startTime(fixed = true) = 0;
//|   Real finalTime(fixed = true) = 1;
//|   Real x[5];
//|   Real total;
//| equation
//|   x[1] = time;
//|   x[2] = x[1] + 2;
//|   x[3] = x[2] + 3;
//|   x[4] = x[3] + 4;
//|   0 = x[5];
//|   total = x[2]*x[1];
//| end M;
