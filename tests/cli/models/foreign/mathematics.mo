package Mathematics "C's functions, with arguments that are not the inputs in their order"
  function swapped
    input Real a;
    input Real b;
    output Real y;
    external "C" y = atan2(b, a);
  end swapped;
  function twice
    input Real a;
    output Real y;
    external "C" y = sin(2*a);
  end twice;
  function fixed
    input Real a;
    output Real y;
    external "C" y = pow(a, 3.0);
  end fixed;
  function plain
    input Real a;
    input Real b;
    output Real y;
    external "C" y = atan2(a, b);
  end plain;

  model M
    parameter Real early = swapped(2, 1);
    Real s = swapped(1 + time, time);
    Real f = fixed(time);
    Real p = plain(1 + time, time);
  end M;
  model Early
    parameter Real t = twice(2);
    Real x = t*time;
  end Early;
  model Late
    Real x = twice(time);
  end Late;
end Mathematics;
