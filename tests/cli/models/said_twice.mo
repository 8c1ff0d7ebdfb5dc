package SaidTwice "An initial equation that repeats a fixed start"
  model Rounded "w/0.3 - 1 is 2e-16"
    Real w(start = 0.1*3, fixed = true), f;
  equation
    der(w) = -w;
    f = w/0.3;
  initial equation
    f = 1;
  end Rounded;

  model Wrong
    extends Rounded(w(start = 0.31));
  end Wrong;

  model Offset "50 (1 + 1e-10 (p - p0)) = 50 has roots that no digit reaches"
    Real p(start = 3, fixed = true), f;
    parameter Real p0(fixed = false);
  equation
    der(p) = -p;
    f = 50*(1 + 1e-10*(p - p0));
  initial equation
    f = 50;
  end Offset;
end SaidTwice;
