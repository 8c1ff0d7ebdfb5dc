package Stack "a block on a block on the ground, dry friction below both, the upper one is pulled"
  model DryFriction "sticks up to f, slides with f against the speed"
    parameter Real f = 1;
    Real w, a, force, sa;
    Boolean forward(start = false, fixed = true), backward(start = false, fixed = true), locked(start = false);
    Integer mode(start = 0, fixed = true) "1 and -1 sliding, 0 stuck";
  equation
    forward = pre(mode) == 0 and sa > f;
    backward = pre(mode) == 0 and sa < -f;
    locked = not (pre(mode) == 1 or forward or pre(mode) == -1 or backward);
    a = if locked then 0 else if forward then sa - f else if backward then sa + f else if pre(mode) == 1 then sa - f else sa + f;
    force = if locked then sa else if forward then f else if backward then -f else if pre(mode) == 1 then f else -f;
    mode = if (pre(mode) == 1 or forward) and w > 0 then 1 elseif (pre(mode) == -1 or backward) and w < 0 then -1 else 0;
  end DryFriction;

  model Blocks
    DryFriction below(f = 1), between(f = 2);
    Real v1(start = 0, fixed = true), v2(start = 0, fixed = true);
    discrete Real first(start = 0, fixed = true), second(start = 0, fixed = true);
  equation
    below.w = v1;
    below.a = der(v1);
    between.w = v2 - v1;
    between.a = der(v2) - der(v1);
    der(v1) = between.force - below.force;
    der(v2) = time - between.force;
    when below.forward then
      first = time;
    end when;
    when between.forward then
      second = time;
    end when;
  end Blocks;
end Stack;
