// class: M
model M
  Integer gear;
  Real x;
equation
  der(x) = gear;
  gear = if x > 1 then 2 else 1;
end M;
//| fail_discrete.mo:3:11: error: `gear` is an Integer and would change in time: discrete variables are not supported yet [E410]
//|   3 |   Integer gear;
//|     |           ^~~~
