// Robertson's kinetics with x1(0) = 1, calibrated to six values over 4e7 seconds [IDOS]: the data determine p1² p3/p2² alone.
//
//   bolza fit roberts.mo --data roberts.csv --free "p1=0.04[1e-3,10,log],p2=1e4[1,1e8,log],p3=3e7[1,1e9,log]"
model Roberts
  parameter Real p1 = 0.04, p2 = 1e4, p3 = 3e7 "rates";
  Real x1(start = 1, fixed = true), x2(start = 0, fixed = true, nominal = 1e-6), x3(start = 0, fixed = true);
equation
  der(x1) = -p1*x1 + p2*x2*x3;
  der(x2) = p1*x1 - p2*x2*x3 - p3*x2^2;
  der(x3) = p3*x2^2;
end Roberts;
