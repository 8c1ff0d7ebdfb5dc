model Digital "Relations in algorithms with loops, tables and memory, each with its event"
  block Steps "a staircase; `y` by assignments that follow each other, `passed` by a loop that is left"
    parameter Real t[:];
    parameter Integer x[size(t, 1)];
    final parameter Integer n = size(t, 1);
    parameter Integer before = 0;
    Integer y, passed;
  algorithm
    y := before;
    for i in 1:n loop
      if time >= t[i] then
        y := x[i];
      end if;
    end for;
    passed := 0;
    for i in 1:n loop
      if time < t[i] then
        break;
      end if;
      passed := i;
    end for;
  end Steps;
  block Inertial "passes its input on when it has held as long as a table says of the change"
    constant Real hold[2, 2] = [0, 0.25; 0.5, 0];
    parameter Real factor = 1;
    input Integer x;
    Integer y(start = 1, fixed = true), from(start = 1, fixed = true);
    discrete Real next(start = 10, fixed = true);
  algorithm
    when change(x) then
      from := pre(y);
      next := time + factor*hold[from, x];
    elsewhen time >= next then
      y := x;
    end when;
  end Inertial;
  Steps stairs(t = {0.3, 1.1, 2.05}, x = {1, 2, 3});
  Steps pulses(t = {0.3, 0.4, 1.0, 2.1}, x = {2, 1, 2, 1}, before = 1);
  Inertial inertial[2](factor = {1, 0.5}, each x = pulses.y);
  Real stair_area(start = 0, fixed = true), passed_area(start = 0, fixed = true), delayed_area(start = 0, fixed = true);
  Real area[2](each start = 0, each fixed = true);
equation
  der(stair_area) = stairs.y;
  der(passed_area) = stairs.passed;
  der(delayed_area) = integer(delay(stairs.y, 0.1));
  der(area) = inertial.y;
end Digital;
