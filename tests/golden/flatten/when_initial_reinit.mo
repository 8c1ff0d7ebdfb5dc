// class: M
model M
  Real x(start = 1, fixed = true), y(start = 2), v[2], w(start = 1, fixed = true);
equation
  der(x) = 1;
  der(y) = -1;
  der(v) = {x, y};
  der(w) = -1;
  when {initial(), y < 0} then
    reinit(y, 3);
  end when;
  when y > 5 then
    reinit(v[1], 0);
  elsewhen initial() then
    for i in 1:2 loop
      reinit(v[i], i);
    end for;
  end when;
  when w < 0 then
    if y > 1 then
      reinit(w, 5);
    else
      reinit(w, 6);
    end if;
  elsewhen x > 2 then
    reinit(w, 7);
  end when;
end M;
//| model M
//|   Real startTime(fixed = true) = 0;
//|   Real finalTime(fixed = true) = 1;
//|   Real x(start = 1, fixed = true);
//|   Real y(start = 2, stateSelect = StateSelect.always);
//|   Real v[2](stateSelect = StateSelect.always);
//|   Real w(start = 1, fixed = true, stateSelect = StateSelect.always);
//|   Boolean $when1;
//|   Boolean $when2;
//|   Boolean $when3;
//|   Boolean $when4;
//| initial equation
//|   y = 3;
//|   v[1] = 1;
//|   v[2] = 2;
//| equation
//|   der(x) = 1;
//|   der(y) = -1;
//|   der(v[1]) = x;
//|   der(v[2]) = y;
//|   der(w) = -1;
//| discrete equation
//|   $when1 = y < 0;
//|   $when2 = y > 5;
//|   $when3 = w < 0;
//|   $when4 = x > 2;
//| event
//|   when if initial() then 1 else $when1 and not pre($when1): reinit(y, 3);
//|   when (if initial() then 0 else $when2 and not pre($when2)) or initial() and not (if initial() then 0 else $when2 and not pre($when2)): reinit(v[1], if initial() and not (if initial() then 0 else $when2 and not pre($when2)) then 1 else 0);
//|   when initial() and not (if initial() then 0 else $when2 and not pre($when2)): reinit(v[2], 2);
//|   when (if initial() then 0 else $when4 and not pre($when4)) and not (if initial() then 0 else $when3 and not pre($when3)) or (not noEvent(y > 1) or noEvent(y > 1)) and (if initial() then 0 else $when3 and not pre($when3)): reinit(w, if (if initial() then 0 else $when4 and not pre($when4)) and not (if initial() then 0 else $when3 and not pre($when3)) then 7 else if noEvent(y > 1) then 5 else 6);
//| end M;
