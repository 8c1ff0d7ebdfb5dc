model Beyond "no derivative of these equations determines u"
  Real x(start = 0), u;
  Real y;
equation
  der(x) = y;
  x = sin(time);
  y = cos(time) + 0*u;
end Beyond;
