package StartsOfOthers "Starts of variables that are no states"
  model Concentration "n is the state, the user knows c"
    parameter Real V = 2;
    Real n;
    Real c(start = 0.25);
  equation
    c = n/V;
    der(n) = -n;
  end Concentration;

  model Tank "of a component, changed from outside"
    parameter Real area = 3;
    Real volume, level;
  equation
    volume = area*level;
    der(volume) = -0.1*volume;
  end Tank;

  model Tanks "the first by its level, the second by its volume, the third by nothing"
    Tank first(level(start = 2)), second(level(start = 2), volume(start = 9)), third;
  end Tanks;

  model Squared "not linear: e = m v^2/2"
    parameter Real m = 2;
    Real e(start = 25), v;
  equation
    e = m*v^2/2;
    m*der(v) = -v;
    annotation(experiment(StopTime = 1));
  end Squared;

  model Two "two masses, total and difference are known"
    Real x, y, total(start = 5), difference(start = 1);
  equation
    total = x + y;
    difference = x - y;
    der(x) = -x;
    der(y) = -2*y;
  end Two;

  model Stated "an initial equation goes before a start"
    Real n, c(start = 0.25);
  initial equation
    n = 3;
  equation
    c = n/2;
    der(n) = -n;
  end Stated;

  model More "two starts for one state: the first counts"
    Real n, c(start = 0.25), d(start = 4);
  equation
    c = n/2;
    d = 3*n;
    der(n) = -n;
  end More;

  type Height = Real(start = 7);
  model Typed "the start of a type says nothing of this model"
    Real n;
    Height h;
  equation
    h = 2*n;
    der(n) = 1 - n;
  end Typed;

  model Zero "a start of 0 says what the state's own says"
    Real n, r(start = 0);
  equation
    r = exp(n) - 1;
    der(n) = 1;
  end Zero;

  model Edge "what has a kink determines no start"
    Real n, r(start = 2);
  equation
    r = abs(n);
    der(n) = 1;
  end Edge;
end StartsOfOthers;
