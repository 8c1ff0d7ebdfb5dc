// Equations whose values or derivatives are not numbers at the guess 0.
model Pipe "two equal pipes in a row from 2 to 1 bar: 1.5 between them"
  Real q, p;
equation
  q = 0.3*sqrt(2 - p);
  q = 0.3*sqrt(p - 1);
end Pipe;
model Logarithm "y + log y = 1 at y = 1, 3 + log 3 at the end"
  Real y;
equation
  y + log(y) = 1 + time*(2 + log(3));
end Logarithm;
model Sized "a resistor sized by what it shall take: i = 2, R = 5"
  parameter Real i(fixed = false);
  parameter Real R = 10/i;
  Real u = R*time;
initial equation
  R*i + i = 12;
end Sized;
model Quotient "v + 1/v = 5/2"
  Real v, w;
equation
  v + 1/v = 2.5;
  w*v = 1;
end Quotient;
model Negative "the only solution is negative: -2"
  Real v;
equation
  log(-v) + v = log(2) - 2 + 0*time;
end Negative;
model None "no solution, whatever the start"
  Real x;
equation
  sqrt(x) = -1 - time;
end None;
model Acid "a strong acid of 1 mmol/l: pH 3, beyond the top of a hill that is left of the guess"
  Real pH(start = 5), H, OH;
  parameter Real c = 1e-3;
equation
  H = 10^(-pH);
  OH = 1e-14/H;
  H = OH + c;
end Acid;
model AcidSquared "the same as a quadratic equation"
  Real pH(start = 5), H;
  parameter Real c = 1e-3;
equation
  H = 10^(-pH);
  H^2 = 1e-14 + c*H;
end AcidSquared;
model Decay "exp(-x) + exp(-2 x) = 0.11, guessed where both are nothing"
  Real x(start = 40);
equation
  exp(-x) + exp(-2*x) = 0.11 + 0*time;
end Decay;
model Double "a double root is one"
  Real x(start = 3);
equation
  (x - 1)^2 = 0*time;
end Double;
model Nothing "the root that the guess is near to is 0"
  Real x(start = 0.1);
equation
  x^2 = 4*x + 0*time;
end Nothing;
