model BouncingBall "impacts at the times of a geometric series"
  parameter Real e = 0.8, g = 9.81;
  Real h(start = 1, fixed = true), v(start = 0, fixed = true);
  Integer bounces(start = 0, fixed = true);
  discrete Real last(start = 0, fixed = true) "time of the last impact";
equation
  der(h) = v;
  der(v) = -g;
  when h < 0 then
    reinit(v, -e*pre(v));
    bounces = pre(bounces) + 1;
    last = time;
  end when;
end BouncingBall;
