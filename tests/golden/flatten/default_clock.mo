// class: M
model M
  Real n(start = 0);
equation
  n = previous(n) + 1;
end M;
//| default_clock.mo:5:7: warning: no clock is given for these equations: they tick every second [W418]
//|   5 |   n = previous(n) + 1;
//|     |       ^~~~~~~~~~~
//| model M
//|   Real startTime(fixed = true) = 0;
//|   Real finalTime(fixed = true) = 1;
//|   Real n(start = 0);
//|   discrete Real $clocked1;
//|   Integer $ticks1;
//| equation
//|   n = $clocked1 + 1;
//| discrete equation
//|   $ticks1 = if $tick1 then pre($ticks1) + 1 else pre($ticks1);
//|   $clocked1 = if initial() then 0 else if $tick1 then if noEvent($ticks1 <= 1) then 0 else pre(n) else pre($clocked1);
//| source
//|   $tick1 = sample(startTime, 1);
//| end M;
