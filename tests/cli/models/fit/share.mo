model Share "a share that is 0/0 before anything has entered"
  parameter Real k = 0.5;
  Real a(start = 0, fixed = true), b(start = 0, fixed = true), share, c;
equation
  der(a) = k;
  der(b) = 1;
  share = a/(a + b);
  c = 3*k + a;
end Share;
