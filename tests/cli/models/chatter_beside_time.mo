model ChatterBesideTime "a relay that chatters before an event of time"
  Real x(start = 0.5), s;
equation
  s = if time < 2 then 1 else 0;
  der(x) = s + (if x > 1 then -2 else 0);
end ChatterBesideTime;
