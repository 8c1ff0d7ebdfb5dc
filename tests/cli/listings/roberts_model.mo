package Roberts
  model Roberts_model(startTime=0.0,
                      finalTime=1.0 )
    parameter Real p1 = 0.04;
    parameter Real p2 = 1e4;
    parameter Real p3 = 3e7;
    Real x1(start = 1.0);
    Real x2(start = 0.0);
    Real x3(start = 0.0);
  equation
    der(x1) + p1*x1 - p2*x2*x3 = 0;
    der(x2) - p1*x1 + p2*x2*x3 + p3*x2*x2 = 0;
    der(x3) - p3*x2*x2 = 0;
  end Roberts_model;
end Roberts;
