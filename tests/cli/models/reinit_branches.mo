model ReinitBranches "States that are set at the start, and by several branches of one clause"
  Real x(start = 1, fixed = true);
  Real y(start = 2);
  Real w(start = 1.5, fixed = true) "to 0 after 1.5, then 5; 7 at t = 4; 0 after 11, then 6";
equation
  der(x) = 1;
  der(y) = -0.4;
  der(w) = -1;
  when {initial(), x > 20} then
    reinit(y, 3);
  end when;
  when w < 0 then
    if y > 1 then
      reinit(w, 5);
    else
      reinit(w, 6);
    end if;
  elsewhen x > 5 then
    reinit(w, 7);
  end when;
end ReinitBranches;
