package OnlyFunctions
  function f
    input Real x;
    output Real y = 2*x;
  end f;
end OnlyFunctions;
