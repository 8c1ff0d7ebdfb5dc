// class: Rod
model Rod "inner cells share one shape"
  parameter Integer n = 6;
  parameter Real D = 0.1, h = 1/n;
  Real c[n](each start = 1, each fixed = true);
equation
  der(c[1]) = D*(c[2] - c[1])/h^2;
  for i in 2:n - 1 loop
    der(c[i]) = D*(c[i + 1] - 2*c[i] + c[i - 1])/h^2 - i*c[i];
  end for;
  der(c[n]) = D*(c[n - 1] - c[n])/h^2;
end Rod;
//| model Rod
//|   Real startTime(fixed = true) = 0;
//|   Real finalTime(fixed = true) = 1;
//|   parameter Integer n(fixed = true) = 6;
//|   parameter Real D(fixed = true) = 0.1;
//|   parameter Real h(fixed = true) = 1/n;
//|   Real c[6](start = 1, fixed = true);
//| equation
//|   der(c[1]) = D*(c[2] - c[1])/h^2;
//|   der(c[2]) = (c[1] + (c[3] - c[2]*2))*D/h^2 - c[2]*2;
//|   der(c[3]) = (c[2] + (c[4] - c[3]*2))*D/h^2 - c[3]*3;
//|   der(c[4]) = (c[3] + (c[5] - c[4]*2))*D/h^2 - c[4]*4;
//|   der(c[6]) = D*(c[5] - c[6])/h^2;
//|   // 1 more like `der(c[2]) = (c[1] + (c[3] - c[2]*2))*D/h^2 - c[2]*2`
//| end Rod;
