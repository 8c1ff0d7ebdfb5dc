model SelfFunction
  function f
    input Real x;
    output Real y;
  protected
    f inner_f;
  algorithm
    y := x;
  end f;
  Real y = f(time);
end SelfFunction;
