// Food-borne disease: susceptible, infected and recovered people, and a pathogen [IDOS]. Parameters of our own (in the order p1 … p8,
// B0: 0.1, 200, 0.1, 0.8, 0.4, 0.05, 0.2, 1000, 60), noise 5 and 1, seed 1 (`scripts/estimation --data`).
//
// Without measurements of B its unit is open: only p2/B0 and p7/B0 are determined.
model Disease
  parameter Real p1 = 0.1, p2 = 200, p3 = 0.1, p4 = 0.8, p5 = 0.4, p6 = 0.05, p7 = 0.2, p8 = 1000, B0 = 60;
  Real S(start = 990, fixed = true), I(start = 10, fixed = true), R(start = 0, fixed = true), B(start = B0, fixed = true);
  Real infection = p3*B/(B + p2)*S + p4*p5/p8*S*I;
equation
  der(S) = -infection - p1*S + p1*p8;
  der(I) = infection - p1*I;
  der(R) = p1*I - p6*R;
  der(B) = p7*I - p5*B;
end Disease;
