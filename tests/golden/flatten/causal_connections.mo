// class: Loop
connector RealInput = input Real;
connector RealOutput = output Real;
block Gain
  RealInput u[2];
  RealOutput y[2];
  parameter Real k = 2;
equation
  y = k*u;
end Gain;
model Loop
  Gain g[2](k = {1, 2});
  RealInput source[2];
equation
  connect(source, g[1].u);
  for i in 1:2 loop
    connect(g[1].y[i], g[2].u[3 - i]);
  end for;
end Loop;
//| model Loop
//|   Real startTime(fixed = true) = 0;
//|   Real finalTime(fixed = true) = 1;
//|   Real g[2].u[2];
//|   Real g[2].y[2];
//|   parameter Real g[2].k(fixed = true) = {1, 2};
//|   input Real source[2];
//| equation
//|   g[1].y[1] = g[1].k*g[1].u[1];
//|   g[1].y[2] = g[1].k*g[1].u[2];
//|   g[2].y[1] = g[2].k*g[2].u[1];
//|   source[1] = g[1].u[1];
//|   source[2] = g[1].u[2];
//|   g[1].y[1] = g[2].u[2];
//|   // 1 more like `g[1].y[1] = g[1].k*g[1].u[1]`
//|   // 1 more like `source[1] = g[1].u[1]`
//| end Loop;
