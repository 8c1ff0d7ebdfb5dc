// Subscripts and literals that do not exist.
model Vector
  Real x[3] = {1, 2, 3};
  Integer i = 1 + integer(time*10);
  Real y = x[i];
end Vector;
model Matrix
  parameter Real m[2, 3] = [1, 2, 3; 4, 5, 6];
  Integer i = integer(time*10);
  Real y = m[1 + mod(i, 2), i + 1];
end Matrix;
model State "a rate reads beyond: the run stops there"
  Real x(start = 0, fixed = true), k[2] = {1, 2};
  Integer i = 1 + integer(time*4);
equation
  der(x) = k[i];
end State;
model Literal
  type Mode = enumeration(off, on);
  Mode mode = Mode(1 + integer(time*4));
end Literal;
model Guarded "looked at where it exists only"
  Real x[3] = {1, 2, 3};
  Integer i = 1 + integer(time*10);
  Real y = x[min(i, 3)];
  Real z = if i <= 3 then x[i] else 0;
end Guarded;
