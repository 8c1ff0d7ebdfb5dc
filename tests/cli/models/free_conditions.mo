// If-equations whose conditions are parameters that initial equations determine.
model FreeConditions
  parameter Integer n = 3;
  parameter Real low(fixed = false), sum_of(fixed = false), w[n](each fixed = false), u(fixed = false);
  parameter Boolean is_odd[n] = {mod(i, 2) == 1 for i in 1:n};
  Real x(start = 0, fixed = true);
initial equation
  low = time - 1;
  sum_of = sum(if is_odd[i] then i else 0 for i in 1:n);
  if sum_of > 3 then
    for i in 1:n loop
      if is_odd[i] then
        w[i] = i/sum_of;
      else
        w[i] = 0;
      end if;
    end for;
    u = 1;
  else
    u = 2;
    for i in 1:n loop
      w[i] = 7;
    end for;
  end if;
equation
  if low > 0 then
    for i in 1:1 loop
      der(x) = w[3];
    end for;
  else
    for i in 1:1 loop
      der(x) = w[1];
    end for;
  end if;
end FreeConditions;
