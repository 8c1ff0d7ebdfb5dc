package Sources "algorithm sections whose relations read iterators, and what they assign"
  block Steps
    parameter Real t[:] = {0.5, 1.25, 2};
    parameter Real x[size(t, 1)] = {1, -1, 3};
    final parameter Integer n = size(t, 1);
    output Real y;
  algorithm
    y := 0;
    for i in 1:n loop
      if time >= t[i] then
        y := x[i];
      end if;
    end for;
  end Steps;

  block Late "passes a step on after `wait`, unless it changes again before"
    input Real x;
    parameter Real wait = 0.25;
    output discrete Real y(start = 0, fixed = true);
    discrete Real due(start = 1e9, fixed = true);
    Boolean high(start = false, fixed = true);
  algorithm
    high := x > 0.5;
    when change(high) then
      due := time + wait;
    elsewhen time >= due then
      y := if high then 1 else 0;
    end when;
  end Late;

  model Test
    Steps steps;
    Late late(x = steps.y);
    Real area(start = 0, fixed = true), late_area(start = 0, fixed = true);
  equation
    der(area) = steps.y;
    der(late_area) = late.y;
  end Test;
end Sources;
