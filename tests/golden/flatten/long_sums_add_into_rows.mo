// class: M
model M
  Real x[12], y, z;
equation
  for i in 1:12 loop
    x[i] = i*time;
  end for;
  y = 1 - 2*sum(x);
  z = sqrt(sum(x[i]^2 for i in 1:12));
end M;
//| model M
//|   Real startTime(fixed = true) = 0;
//|   Real finalTime(fixed = true) = 1;
//|   Real x[12];
//|   Real y;
//|   Real z;
//|   Real $sum1;
//| equation
//|   x[1] = time*1;
//|   x[2] = time*2;
//|   x[3] = time*3;
//|   0 = y - 1 + x[1]*2 + x[2]*2 + x[3]*2 + x[4]*2 + x[5]*2 + x[6]*2 + x[7]*2 + … (13 terms);
//|   z = sqrt($sum1);
//|   0 = $sum1 + -x[1]^2 + -x[2]^2 + -x[3]^2 + -x[4]^2 + -x[5]^2 + -x[6]^2 + -x[7]^2 + … (13 terms);
//|   // 9 more like `x[1] = time*1`
//| end M;
