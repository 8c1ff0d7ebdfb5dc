package StartInOrder "initial values that are found one equation after the other"
  model Gap "a reluctance that is 1/0 where the width of its gap starts; an initial equation gives the width"
    Real s "width";
    Real R "reluctance";
    Real phi "flux of a unit of magnetomotive force";
  initial equation
    s = 1e-4;
  equation
    der(s) = 1e-3;
    R = 1/s;
    1 = phi*R + phi^3;
  end Gap;

  model Fold "x³ - 3x + 2.1 has its only zero beyond the fold at which x starts"
    Real x(start = 1.01);
    Real y = exp(x)*time;
  equation
    x^3 - 3*x + 2.1 = 0;
  end Fold;

  model Size "of a flow, which is given: at zero |m| has a direction"
    Real m;
  equation
    abs(m) = 2*time;
  end Size;
end StartInOrder;
