// class: M
model M
  Real x[2](each start = 1, each fixed = true);
equation
  der(x) = {1, 1};
  for i in 1:2 loop
    when time > 0.1*i then
      reinit(x[if i == 1 then 2 else 1], 0);
    end when;
  end for;
end M;
//| model M
//|   Real startTime(fixed = true) = 0;
//|   Real finalTime(fixed = true) = 1;
//|   Real x[2](start = 1, fixed = true, stateSelect = StateSelect.always);
//|   Boolean $when1[2];
//| equation
//|   der(x[1]) = 1;
//|   der(x[2]) = 1;
//| discrete equation
//|   $when1[1] = time > 0.1;
//|   $when1[2] = time > 0.2;
//| event
//|   when if initial() then 0 else $when1[1] and not pre($when1[1]): reinit(x[2], 0);
//|   when if initial() then 0 else $when1[2] and not pre($when1[2]): reinit(x[1], 0);
//| end M;
