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
//| fail_implied_ranges.mo:9:14: error: `i` is a subscript of dimensions of size 4 and of size 3 [E387]
//|   9 |     y[i] = x[i];
//|     |              ^
