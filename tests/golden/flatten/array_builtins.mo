// class: M
model M
  Real x[3], m[2, 2], s, n[2, 2], c[4];
equation
  x = cross({1, time, 0}, {0, 1, 0}) + linspace(0, 1, 3);
  m = identity(2) + diagonal({time, 2}) + outerProduct({1, 2}, {time, 3});
  s = max(x) + min(1, time) + product(x) + ndims(m) + size(m, 1) + scalar({4}) + sum(transpose(m));
  n = m^2 + symmetric(m)*fill(time, 2, 2);
  c = cat(1, x[{3, 1}], {time}, vector([5]));
end M;
//| model M
//|   Real startTime(fixed = true) = 0;
//|   Real finalTime(fixed = true) = 1;
//|   Real x[3];
//|   Real m[2,2];
//|   Real s;
//|   Real n[2,2];
//|   Real c[4];
//| equation
//|   0 = x[1];
//|   x[2] = 0.5;
//|   x[3] = 2;
//|   m[1,1] = time + (time + 1);
//|   m[1,2] = 3;
//|   m[2,1] = time*2;
//|   m[2,2] = 9;
//|   s = m[2,2] + (m[1,2] + (m[1,1] + m[2,1])) + (2 + (2 + (max(max(x[1], x[2]), x[3]) + min(time, 1) + x[3]*(x[1]*x[2]))) + 4);
//|   n[1,1] = m[1,1]*m[1,1] + m[1,2]*m[2,1] + (m[1,1]*time + m[1,2]*time);
//|   n[1,2] = m[1,1]*m[1,2] + m[1,2]*m[2,2] + (m[1,1]*time + m[1,2]*time);
//|   n[2,1] = m[2,1]*m[1,1] + m[2,2]*m[2,1] + (m[1,2]*time + m[2,2]*time);
//|   c[1] = x[3];
//|   c[2] = x[1];
//|   c[3] = time;
//|   c[4] = 5;
//|   // 1 more like `n[1,1] = m[1,1]*m[1,1] + m[1,2]*m[2,1] + (m[1,1]*time + m[1,2]*time)`
//| end M;
