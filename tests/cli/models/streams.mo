package Streams "values of stream variables that can be worked out by hand"
  connector Port
    Real p;
    flow Real m;
    stream Real h;
  end Port;

  model Source "lets m flow out, at h"
    parameter Real m = 1, h = 1;
    Port a;
    Real seen = inStream(a.h);
  equation
    a.m = -m;
    a.h = h;
  end Source;

  model Level "of given pressure"
    parameter Real h = 0;
    Port a;
    Real seen = inStream(a.h), actual = actualStream(a.h), carried = a.m*actualStream(a.h);
  equation
    a.p = 0;
    a.h = h;
  end Level;

  model Pipe
    Port a, b;
  equation
    a.m + b.m = 0;
    a.p - b.p = a.m;
    a.h = inStream(b.h);
    b.h = inStream(a.h);
  end Pipe;

  model Alone
    Level l(h = 3);
  end Alone;

  model Two
    Source s(m = 2, h = 7);
    Level l(h = 5);
  equation
    connect(s.a, l.a);
  end Two;

  model Three "flows of 1 and 3 are mixed"
    Source s(h = 10), t(m = 3, h = 20);
    Level l(h = 5);
  equation
    connect(s.a, l.a);
    connect(t.a, l.a);
  end Three;

  model Feed "lets m flow out, at h, while time goes on"
    Real m;
    parameter Real h = 1;
    Port a;
    Real seen = inStream(a.h);
  equation
    a.m = -m;
    a.h = h;
  end Feed;

  model Reversal "s lets f out, u takes 2 f, l gives the rest; f turns round at t = 1, at t = 1.5 all is at rest"
    Real f = if time < 1.5 then 1 - time else 0;
    Feed s(m = f, h = 1), u(m = -2*f, h = 2), v(m = 0, h = 3);
    Level l(h = 5);
    Tee w;
  equation
    connect(s.a, w.s);
    connect(u.a, w.u);
    connect(v.a, w.v);
    connect(w.l, l.a);
  end Reversal;

  model Tee "four outside connectors"
    Port s, u, v, l;
  equation
    connect(s, u);
    connect(s, v);
    connect(s, l);
  end Tee;

  model Wrapped "a pipe behind two outside connectors"
    Port a, b;
    Pipe pipe;
  equation
    connect(a, pipe.a);
    connect(pipe.b, b);
  end Wrapped;

  model Hierarchy
    Source s(m = 2, h = 7);
    Wrapped first, second;
    Level l(h = 5);
  equation
    connect(s.a, first.a);
    connect(first.b, second.a);
    connect(second.b, l.a);
  end Hierarchy;

  model Split "one outside connector and two inside ones in a set"
    Port a, b, c;
    Pipe one, two;
  equation
    connect(a, one.a);
    connect(a, two.a);
    connect(one.b, b);
    connect(two.b, c);
  end Split;

  model SplitAndJoined "4 flows from left to right, s adds 2 to it"
    Source s(m = 2, h = 7), left(m = 4, h = 5);
    Split split;
    Level right(h = 6);
  equation
    connect(s.a, split.a);
    connect(left.a, split.b);
    connect(split.c, right.a);
  end SplitAndJoined;

  connector Mixture
    parameter Integer n = 2;
    Real p;
    flow Real m;
    stream Real x[n];
  end Mixture;

  model Arrays "arrays of connectors with arrays of stream variables"
    parameter Integer k = 3, n = 2;
    Feeds feeds(k = k, n = n);
    Join join(k = k, n = n);
    Drain out(n = n), none(n = 0);
  equation
    connect(feeds.port, join.port);
    connect(out.port, join.out);
  end Arrays;

  model Feeds "flows of 1, 2, …, k, with the values {i, 10 i}"
    parameter Integer k = 1, n = 2;
    Mixture port[k](each n = n);
    Real seen[k, n] = inStream(port.x);
    Real first[n] = inStream(port[1].x);
    Real sums[n] = {sum(inStream(port[i].x[j]) for i in 1:k) for j in 1:n};
  equation
    for i in 1:k loop
      port[i].m = -i;
      port[i].x = {i, 10*i};
    end for;
  end Feeds;

  model Drain
    parameter Integer n = 2;
    Mixture port(n = n);
    Real actual[n] = actualStream(port.x), carried[n] = port.m*actualStream(port.x);
  equation
    port.p = 0;
    port.x = 100*(1:n);
  end Drain;

  model Join
    parameter Integer k = 1, n = 1;
    Mixture port[k](each n = n), out(n = n);
  equation
    for i in 1:k loop
      connect(port[i], out);
    end for;
  end Join;

  model OneWay "nothing can come out of t and of the sensor"
    Source s(m = 2, h = 7);
    Level l(h = 5);
    Sensor sensor;
    Source t(m = -1, h = 1000, a(m(min = 0)));
  equation
    connect(s.a, l.a);
    connect(s.a, sensor.a);
    connect(s.a, t.a);
  end OneWay;

  model Sensor
    Port a(m(min = 0));
    Real seen = inStream(a.h);
  equation
    a.m = 0;
    a.h = 1000;
  end Sensor;

  model Conditional
    parameter Boolean with = false;
    Source s(m = 2, h = 7);
    Source t(m = 2, h = 9) if with;
    Level l(h = 5);
  equation
    connect(s.a, l.a);
    connect(t.a, l.a);
  end Conditional;

  model Ring "three pipes in a ring: what is in it comes from the source"
    Source s(h = 7);
    Pipe p[3];
    Level l(h = 5);
  equation
    for i in 1:3 loop
      connect(p[i].b, p[mod(i, 3) + 1].a);
    end for;
    connect(s.a, p[1].a);
    connect(l.a, p[2].a);
  end Ring;

  model Turning "the actual stream jumps where the flow turns round, what it carries does not"
    Feed feed(m = -cos(time), h = 2);
    Wrapped through;
    Level l(h = 3);
    Real actual = actualStream(feed.a.h);
    Real of_actual(start = 0, fixed = true), of_carried(start = 0, fixed = true);
  equation
    connect(feed.a, through.a);
    connect(through.b, l.a);
    der(of_actual) = actual;
    der(of_carried) = feed.a.m*actualStream(feed.a.h);
  end Turning;
end Streams;
