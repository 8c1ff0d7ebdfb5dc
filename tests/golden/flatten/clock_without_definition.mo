// class: M
model M
  Clock c;
  Real y;
equation
  when c then
    y = 2*time;
  end when;
end M;
//| clock_without_definition.mo:3:9: warning: no clock is given for these equations: they tick every second [W418]
//|   3 |   Clock c;
//|     |         ^
//| model M
//|   Real startTime(fixed = true) = 0;
//|   Real finalTime(fixed = true) = 1;
//|   Integer c;
//|   Real y;
//|   Integer $clock1;
//|   Integer $ticks1;
//|   discrete Real $time1;
//| equation
//|   y = $time1*2;
//| discrete equation
//|   $ticks1 = if $tick1 then pre($ticks1) + 1 else pre($ticks1);
//|   $time1 = if initial() then time else if $tick1 then time else pre($time1);
//|   c = $ticks1;
//|   $clock1 = $ticks1;
//| source
//|   $tick1 = sample(startTime, 1);
//| end M;
