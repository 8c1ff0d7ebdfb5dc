// class: M
model M
  function gamma
    input Real x;
    output Real y;
    external "C" y = tgamma(x);
  end gamma;
  function say
    input Real x;
    external "C" log1p(x);
  end say;
  function positive
    input Real x;
  algorithm
    assert(x > 0, "not positive");
  end positive;
  Real x(start = 1, fixed = true);
equation
  der(x) = -gamma(x);
  say(x);
  positive(x);
  positive(1);
end M;
//| warn_external.mo:19:13: warning: derivatives of the external function `gamma` are difference quotients [W306]
//|   19 |   der(x) = -gamma(x);
//|      |             ^~~~~~~~
