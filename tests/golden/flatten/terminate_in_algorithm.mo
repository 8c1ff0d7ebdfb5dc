// class: M
model M
  Real x(start = 0, fixed = true);
  String s;
equation
  s = "x is " + String(1.5);
  der(x) = 1;
algorithm
  when x > 2 then
    terminate(s);
  end when;
end M;
//| model M
//|   Real startTime(fixed = true) = 0;
//|   Real finalTime(fixed = true) = 1;
//|   Real x(start = 0, fixed = true);
//|   Boolean $when1;
//| equation
//|   der(x) = 1;
//| discrete equation
//|   $when1 = x > 2;
//|   when if initial() then 0 else $when1 and not pre($when1): terminate("x is 1.5");
//| end M;
