// Fits. The data are in the folder `data`, made by data.py: exact values of the formulas, 12 digits, unless something else is said.

model Nano "1e-9 exp(-0.7 t)"
  parameter Real A = 0.5e-9, k = 0.3;
  Real y(start = A, fixed = true);
equation
  der(y) = -k*y;
end Nano;

model Tera "1e12 exp(-0.7 t)"
  extends Nano(A = 0.5e12);
end Tera;

model Unit "exp(-0.7 t)"
  extends Nano(A = 0.5);
end Unit;

model Fast "exp(-7e8 t), in nanoseconds"
  parameter Real k = 1e8;
  Real y(start = 1, fixed = true);
equation
  der(y) = -k*y;
end Fast;

model Late "exp(-k t), measured from t = 20 on as 0: any k > 2 is as good"
  extends Fast(k = 5);
end Late;

model Offset "1e6 + exp(-0.7 t)"
  parameter Real k = 0.3;
  Real x(start = 1, fixed = true), y = 1e6 + x;
equation
  der(x) = -k*x;
end Offset;

model Sum "exp(-(a + b) t), a + b = 0.7: a and b are not determined"
  parameter Real a = 0.2, b = 0.3;
  Real y(start = 1, fixed = true);
equation
  der(y) = -(a + b)*y;
end Sum;

model Product "a b t, a b = 6"
  parameter Real a = 1, b = 1;
  Real y(start = 0, fixed = true);
equation
  der(y) = a*b;
end Product;

model Idle "exp(-0.7 t), c is read by nothing that is measured"
  parameter Real k = 0.3, c = 1;
  Real y(start = 1, fixed = true), z(start = 0, fixed = true);
equation
  der(y) = -k*y;
  der(z) = c*y - z;
end Idle;

model Saturated "y = V S/(K + S) with S from 1e6 on, V = 2, K = 1: K moves y by 1e-6, data are good to 1e-3"
  parameter Real V = 1, K = 100;
  Real s(start = 1e6, fixed = true), y = V*s/(K + s);
equation
  der(s) = 1e6;
end Saturated;

model Wave "sin(5 t)"
  parameter Real w = 1;
  Real y(start = 0, fixed = true), v(start = w, fixed = true);
equation
  der(y) = v;
  der(v) = -w^2*y;
end Wave;

model Line "1 + 2 t with errors 0.1 (1, -2, 1), twice, which are orthogonal to 1 and t: least squares give 1 and 2"
  parameter Real a = 0, b = 1;
  Real y(start = a, fixed = true);
equation
  der(y) = b;
end Line;

model Ray "2 t, and one value of ten that is 100 too large"
  parameter Real b = 1;
  Real y(start = 0, fixed = true);
equation
  der(y) = b;
end Ray;

model Step "0 until 2, 1 from 3 on: tau between them"
  parameter Real tau = 0.5;
  Real y = if time > tau then 1 else 0, x(start = 0, fixed = true);
equation
  der(x) = y;
end Step;

model Bounce "y = (p^2 - 4)^2 t is 0 for p = 2 and -2; measured as 0"
  parameter Real p = 0;
  Real y(start = 0, fixed = true);
equation
  der(y) = (p^2 - 4)^2;
end Bounce;

model Slow "exp(-7e-6 t), in days"
  extends Fast(k = 1e-6);
end Slow;

model Culture "logistic growth from 1e-11 to K = 1e-9 at the rate 1.2"
  parameter Real K = 0.3e-9, r = 0.5;
  Real y(start = 1e-11, fixed = true);
equation
  der(y) = r*y*(1 - y/K);
end Culture;

model Drift "2e-6 + 3e-9 t, a in millionths"
  parameter Real a = 1, b = 1e-9;
  Real y(start = a*1e-6, fixed = true);
equation
  der(y) = b;
end Drift;

model Fill "1 - exp(-k t), measured as 1 from t = 0.1 on: any k > 300 is as good"
  parameter Real k = 1e5;
  Real y(start = 0, fixed = true);
equation
  der(y) = k*(1 - y);
end Fill;

model Pair "exp(-0.5 t) + exp(-2 t)"
  parameter Real a = 1, b = 1.1;
  Real x(start = 1, fixed = true), z(start = 1, fixed = true), y = x + z;
equation
  der(x) = -a*x;
  der(z) = -b*z;
end Pair;
