model ReinitAlgebraic "what reinit sets is a state, also where the equations name another derivative"
  Real x(start = 1, fixed = true);
  Real y;
equation
  der(x) = -x;
  y^3 + y = x;
  when x < 0.5 then
    reinit(y, 1);
  end when;
end ReinitAlgebraic;
