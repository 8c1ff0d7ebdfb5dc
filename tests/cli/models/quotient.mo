model Quotient "the fifth tick divides by zero"
  Real x(start = 1, fixed = true), slope;
  discrete Integer k(start = 0, fixed = true);
equation
  slope = 1/(5 - k);
  der(x) = slope;
  when sample(0.1, 0.1) then
    k = pre(k) + 1;
  end when;
end Quotient;
