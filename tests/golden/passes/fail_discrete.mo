// class: M
model M
  Integer gear;
  Real x;
equation
  der(x) = gear;
  gear = if x > 1 then 2 else 1;
end M;
