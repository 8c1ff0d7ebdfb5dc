// Two rates and an initial amount [CPPAD] from four values of the second compartment, without noise (`scripts/estimation --data`).
// There are two optima, (2, 1, 0.5) and its mirror (4, 0.5, 1):
//
//   bolza fit compartments.mo --data compartments.csv --free "a0=1.5[0.1,10,log],a1=1[0.01,10,log],a2=1[0.01,10,log]" --starts 20
model Compartments
  parameter Real a0 = 1.5 "initial amount";
  parameter Real a1 = 1 "rate from the first to the second";
  parameter Real a2 = 1 "rate out of the second";
  Real y0(start = a0, fixed = true), y1(start = 0, fixed = true);
equation
  der(y0) = -a1*y0;
  der(y1) = a1*y0 - a2*y1;
end Compartments;
