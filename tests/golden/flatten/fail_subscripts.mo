// class: M
model M
  Real x[3], y;
  Integer k;
equation
  y = x[4];
  for i in 1:3 loop
    x[i] = x[i + 1];
  end for;
  y = x[k];
  y = x[1, 2];
  y = end;
  y = x[1.5];
  for j loop
    y = time;
  end for;
  y = sum(i.a for i in 1:3);
  y = sum({1, 2, 3}[i] for i in 1:0:3);
  y = sum(zeros(k));
end M;
//| fail_subscripts.mo:12:7: error: expected an expression after `=`, found `end` [E114]
//|   12 |   y = end;
//|      |       ^~~
