package FreeSamples "ticks whose start or interval follows from initial equations"
  model Start "1.05, 2.55, 4.05"
    parameter Real t1(fixed = false);
    Integer n(start = 0, fixed = true);
    discrete Real at(start = -1, fixed = true);
  initial equation
    t1 = time + 1.05;
  equation
    when sample(t1, 1.5) then
      n = pre(n) + 1;
      at = time;
    end when;
  end Start;
  model Interval "2, 2.7, 3.4, …, and a start in the past: 0.3, 1.3, …"
    parameter Real h(fixed = false);
    parameter Real past(fixed = false);
    parameter Real later = past - 1 "follows from one that is not known ahead";
    Integer n(start = 0, fixed = true), m(start = 0, fixed = true), k(start = 0, fixed = true);
    discrete Real at(start = -1, fixed = true), of(start = -1, fixed = true);
  initial equation
    h^2 = 0.49;
    past = time - 1.7;
  equation
    when sample(2, h) then
      n = pre(n) + 1;
      at = time;
    end when;
    when sample(past, 1) then
      m = pre(m) + 1;
      of = time;
    end when;
    when sample(later, 1) then
      k = pre(k) + 1;
    end when;
  end Interval;
  model Pulse "as blocks that begin within a period have it; ticks at the start and at the end"
    parameter Real period = 2;
    parameter Real t0(fixed = false), t1(fixed = false);
    Boolean y;
    Real on(start = 0, fixed = true) "time that it is on";
    Integer ups(start = 0, fixed = true), downs(start = 0, fixed = true);
  initial algorithm
    t0 := integer(time/period)*period;
    t1 := t0 + period/2;
    y := time >= t0 and time < t1;
  equation
    when sample(t0, period) then
      y = true;
    elsewhen sample(t1, period) then
      y = false;
    end when;
    der(on) = if y then 1 else 0;
    when y then
      ups = pre(ups) + 1;
    end when;
    when not y then
      downs = pre(downs) + 1;
    end when;
  end Pulse;
  model Several
    parameter Real t[3](each fixed = false);
    Integer n[3](each start = 0, each fixed = true);
  initial equation
    t = {0.5, 1, 1.25}*(1 + time);
  equation
    for i in 1:3 loop
      when sample(t[i], i) then
        n[i] = pre(n[i]) + 1;
      end when;
    end for;
  end Several;
end FreeSamples;
