model LogAtStart "its start lies outside of what log takes"
  Real x(start = -1, fixed = true), y;
equation
  der(x) = -x;
  y + exp(y) = log(x);
end LogAtStart;
