model StruckPendulum "a pendulum that counts when it passes its lowest point"
  Real x(start = 1, fixed = true), y(start = 0), vx, vy(start = 0, fixed = true), tension;
  Integer passes(start = 0, fixed = true);
equation
  der(x) = vx;
  der(y) = vy;
  der(vx) = -tension*x;
  der(vy) = -tension*y - 9.81;
  x^2 + y^2 = 1;
  when x < 0 then
    passes = pre(passes) + 1;
  end when;
end StruckPendulum;
