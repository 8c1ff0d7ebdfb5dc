package Clocks
  model Rates "a counter on 0.1 s, and what conversions make of it"
    Clock c = Clock(1, 10);
    Clock slow = subSample(c, 4), late = shiftSample(c, 3, 2), fast = superSample(c, 5);
    Integer n(start = 100);
    Integer every4, again, half(start = -1), early;
    Real seen(start = -7), held, at;
    Boolean first;
  equation
    when c then
      n = previous(n) + 1;
      at = sample(time);
      first = firstTick();
    end when;
    every4 = subSample(n, 4);
    again = superSample(every4, 2);
    half = shiftSample(n, 1, 2);
    early = backSample(half, 1, 2);
    when late then
      seen = interval() + noClock(n);
    end when;
    held = hold(seen);
  end Rates;

  model Control "a discrete PI controller on a first-order plant"
    Real x(start = 0, fixed = true), y, e, u, z(start = 0);
    parameter Real k = 2, Ti = 0.5, h = 0.1;
  equation
    der(x) = hold(u) - x;
    y = sample(x, Clock(h));
    e = 1 - y;
    z = previous(z) + h/Ti*e;
    u = k*(e + z);
  end Control;

  model Loop "a system of equations on a clock, and an inferred clock"
    Real a, b, c(start = 3);
    Real s = sample(time, Clock(1, 2));
  equation
    a + 2*b = 3*s;
    a - b = previous(c);
    when Clock() then
      c = a*b;
    end when;
  end Loop;

  model Events "ticks when a swing passes 0 upwards, at 0.25, 1.25, …"
    Real x = -cos(6.283185307179586*time);
    Clock c = Clock(x > 0, startInterval = 0.5);
    Clock third = shiftSample(subSample(c, 2), 1);
    Integer n(start = 0), m(start = 0);
    Real span(start = -1), total, v;
    Boolean late = time > 2, seen;
  equation
    when c then
      n = previous(n) + 1;
      span = interval();
      v = sample(x);
    end when;
    when third then
      m = previous(m) + 1;
    end when;
    total = hold(span);
    seen = sample(late, Clock(late));
  end Events;

  model Paced "intervals of 3, 4, 5, … milliseconds, and of 1, 2, 4, … tenths"
    Integer counter(start = 2), n(start = 0), k(start = 0);
    Real step(start = 0.05), dt, dt2, n2;
  equation
    when Clock(counter, 1000) then
      counter = previous(counter) + 1;
      n = previous(n) + 1;
      dt = interval();
    end when;
    when Clock(step) then
      step = 2*previous(step);
      k = previous(k) + 1;
      dt2 = interval();
    end when;
    n2 = superSample(n, 2);
  end Paced;

  model Integrated "x' = -x + u, y' = (x - 2) y from tick to tick"
    parameter String method = "ExplicitEuler";
    Real x(start = 1, fixed = true), y(start = 2), w;
    Integer two;
  equation
    der(x) = -x + sample(time, Clock(Clock(1, 10), solverMethod = method));
    der(y) = (x - two)*y;
    two = if x > -1 then 2 else 3;
    der(w) = x;
  initial equation
    w + x = 4;
  end Integrated;

  model Inferred "z has the method of x"
    Real x(start = 3), z(start = 0), y(start = 0);
    Clock c = Clock(Clock(1, 10), "ImplicitEuler");
  equation
    der(x) = -x + sample(2, c);
    der(z) = subSample(x, 2) - z;
    der(y) = sample(1, Clock(Clock(Clock(1, 5), "ExplicitEuler"), "")) + time;
  end Inferred;

  model Arrays "clocks and clocked values of arrays and records"
    record R
      Real a(start = 1);
      Integer b[2](start = {2, 3});
    end R;
    block Count
      parameter Integer every = 1;
      Clock c;
      Integer n(start = 0);
    equation
      when c then
        n = previous(n) + 1;
      end when;
    end Count;
    Clock c[3] = {Clock(1, 10), Clock(2, 10), Clock(5, 10)};
    Count count[3](c = c);
    R r, p;
    Real x[3], h[3];
  equation
    x = sample({time, 2*time, 3*time}, c[3]);
    h = hold(x);
    p = previous(r);
    when c[1] then
      r.a = 2*p.a;
      r.b = {p.b[2], p.b[1] + p.b[2]};
    end when;
  end Arrays;

  model Algorithmic "an algorithm on a clock; texts at ticks"
    Real x(start = 0), u, y, slow, late, later;
    Integer n(start = 0);
  equation
    u = sample(1, Clock(1, 4));
    when Clock() then
      assert(n < 100, "too many");
      n = previous(n) + 1;
      y = u*n;
      Modelica.Utilities.Streams.print("tick " + String(n));
    end when;
  algorithm
    x := previous(x) + u;
    if x > 3 then
      x := x - 3;
    end if;
  algorithm
    slow := subSample(n, 2) + 100*subSample(superSample(n, 2), 4);
  algorithm
    late := shiftSample(n, 1);
  algorithm
    later := shiftSample(n, 2) + 100*shiftSample(late, 1);
  end Algorithmic;

  model Driven "an input of the model is taken at ticks, and only there"
    input Real u;
    Real sum(start = 0), before(start = 7), late(start = -1), inverse;
  equation
    sum = previous(sum) + u + sample(0, Clock(1, 2));
    before = previous(u);
    late = shiftSample(u, 1, 2);
    inverse = 1/(late + 1) + 0*previous(inverse);
  end Driven;

  model Filter "a moving sum, by loops, in an array of blocks"
    block Sum
      Real u, y, x[3](start = {1, 2, 3});
    algorithm
      y := u;
      for i in 1:3 loop
        y := y + i*previous(x[i]);
      end for;
      for i in 1:3 loop
        x[i] := if i == 1 then u else previous(x[max(1, i - 1)]);
      end for;
    end Sum;
    Sum s[2];
  equation
    for k in 1:2 loop
      s[k].u = k*sample(1, Clock(k, 10));
    end for;
  end Filter;

  model Nonlinear "a system of equations at the ticks of an event clock; not finite before the first"
    Real x = sin(6.283185307179586*time), a(start = 0.5), b(start = 2), q, total(start = 0);
    Clock c = Clock(x > 0.5);
  equation
    when c then
      a^3 + a = q;
      b = exp(-a)*q;
      q = 1/sample(time);
      total = log(q) + previous(total);
    end when;
  end Nonlinear;

  model Reset "a continuous state that follows a clocked value needs hold"
    Real x(start = 0, fixed = true), y;
  equation
    der(x) = 1;
    y = sample(time, Clock(1, 2));
    when y > 0.6 then
      reinit(x, 0);
    end when;
  end Reset;

  optimization Optimal(objectiveIntegrand = x^2 + u^2, startTime = 0, finalTime = 1)
    Real x(start = 1, fixed = true), y;
    input Real u;
  equation
    der(x) = u + hold(y);
    y = -0.5*sample(x, Clock(1, 10));
  end Optimal;

  model Synchronous "clocks of different rates meet exactly, for a long time"
    Integer n(start = 0), s, t, u, wrong(start = 0);
  equation
    when Clock(1, 1000) then
      n = previous(n) + 1;
    end when;
    s = subSample(n, 7);
    t = superSample(subSample(n, 21), 3);
    u = shiftSample(n, 35, 5);
    wrong = previous(wrong) + (if mod(s - 1, 7) <> 0 or t > s or s - t > 14 then 1 else 0);
  end Synchronous;

  model Named "a block of one's own by the name of Clock"
    block Clock
      output Real y = 2*time;
    end Clock;
    Clock clock;
    Real z = clock.y;
  end Named;
end Clocks;
