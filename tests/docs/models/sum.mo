model Sum "A becomes B, B goes away"
  parameter Real k1 = 1.2, k2 = 0.4, k3 = 0.1, x_start = 1, total0 = 1, s = 0.1, s0 = 0.1;
  Real A(start = x_start, fixed = true), B(start = 0.2, fixed = true);
  Real z = A + B;
equation
  der(A) = -k1*A + k3*B;
  der(B) = k1*A - k2*B - k3*B;
end Sum;
