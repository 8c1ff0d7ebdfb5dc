// The sign of a rate that is zero at the start: what follows is its own, not that of rounding.
model Resting "magnetised from rest; the branch of the loop depends on whether the field rises"
  Real H(start = 0, fixed = true) "field", B "flux density";
  Real rate = der(H);
  Boolean rises(start = true, fixed = true) = rate > 0;
  Integer turns(start = 0, fixed = true);
  Real a, b, c;
equation
  // the rate comes out of a loop of equations, as the difference of large numbers
  a + b = 1e5*(1 + sin(time) - 1);
  a - b = 1e5*sin(time) - 2*c;
  c = b*(if rises then 1.0 else 1.5);
  rate = a + 1e-3*c;
  B = if rises then H - 1 else H + 1;
  when change(rises) then
    turns = pre(turns) + 1;
  end when;
end Resting;
