// class: M
model M
  Real x[3], y[4], z[3];
equation
  for i loop
    x[i] = z[i];
  end for;
  for i loop
    y[i] = x[i];
  end for;
end M;
