// class: M
model M
  Real x, y;
  Boolean b;
  Integer k;
equation
  der(integer(x)) = 1;
  der(k) = 1;
  if x > 0 then
    x = 1;
    y = 2;
  else
    x = 2;
  end if;
  if x > 0 then
    when x > 1 then
      y = 2;
    end when;
  else
    y = 3;
  end if;
  when x > 3 then
    k = 1;
  end when;
  b = pre(b);
  sin(x);
end M;
//| fail_equations.mo:7:7: error: `der` of this expression is not supported [E350]
//|   7 |   der(integer(x)) = 1;
//|     |       ^~~~~~~~~~
//| fail_equations.mo:8:7: error: `k` is not a continuous Real, it has no derivative [E351]
//|   8 |   der(k) = 1;
//|     |       ^
//| fail_equations.mo:9:3: error: the branches of this if-equation have 2 and 1 scalar equations [E352]
//|   9 |   if x > 0 then
//|     |   ^~~~~~~~~~~~~
//| fail_equations.mo:16:5: error: `when` is not allowed in an if-equation whose condition can change [E353]
//|   16 |     when x > 1 then
//|      |     ^~~~~~~~~~~~~~~
//| fail_equations.mo:26:3: warning: the result of `sin` is not used, so the call has no effect [W307]
//|   26 |   sin(x);
//|      |   ^~~~~~
