// class: M
model M
  function slope
    input Real u, du;
    output Real dy;
  algorithm
    dy := missing*du;
  end slope;
  function square
    input Real u;
    output Real y;
  algorithm
    y := u^2;
    annotation(derivative = slope);
  end square;
  Real x = square(time), z = slope(time, 1);
end M;
//| fail_untranslated_derivative.mo:14:16: warning: the `derivative` annotation of `square` is not used: `slope` cannot be translated [W305]
//|   14 |     annotation(derivative = slope);
//|      |                ^~~~~~~~~~~~~~~~~~
//| fail_untranslated_derivative.mo:7:11: error: there is no `missing` in function `M.slope` [E203]
//|   7 |     dy := missing*du;
//|     |           ^~~~~~~
