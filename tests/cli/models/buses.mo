package Buses "signals on expandable connectors"
  connector In = input Real;
  connector Out = output Real;
  connector Switch = output Boolean;
  connector SwitchIn = input Boolean;

  expandable connector Bus
  end Bus;

  model Source
    parameter Real k = 1;
    Out y;
  equation
    y = k*(1 + time);
  end Source;

  model Gain
    parameter Real k = 2;
    In u;
    Out y;
  equation
    y = k*u;
  end Gain;

  model Sink
    In u;
    Real seen = u;
  end Sink;

  model Direct "a name that the bus does not declare, written and read"
    Bus bus;
    Source s(k = 3);
    Sink a, b;
  equation
    connect(bus.speed, a.u);
    connect(s.y, bus.speed);
    connect(bus.speed, b.u);
  end Direct;

  model Writer "a component with its own end of the bus"
    parameter Real k = 1;
    Bus bus;
    Source s(k = k);
  equation
    connect(s.y, bus.speed);
  end Writer;

  model Reader
    Bus bus;
    Gain gain;
    Sink sink;
  equation
    connect(bus.speed, gain.u);
    connect(gain.y, bus.doubled);
    connect(bus.doubled, sink.u);
  end Reader;

  model Connected "through four buses in a row: the reader is first, the writer last"
    Reader reader;
    Bus one, two;
    Writer writer(k = 5);
    Sink sink;
  equation
    connect(reader.bus, one);
    connect(one, two);
    connect(two, writer.bus);
    connect(two.doubled, sink.u);
  end Connected;

  expandable connector Declared "of which not all is used"
    Real speed, unused, also_unused[3];
    Boolean on;
    Declared2 inner_bus;
  end Declared;

  expandable connector Declared2
    Real level, other;
  end Declared2;

  model WithDeclared
    Declared bus;
    Source s;
    Gain g(k = 7);
    Sink a, b;
  equation
    connect(s.y, bus.speed);
    connect(bus.speed, a.u);
    connect(bus.speed, g.u);
    connect(g.y, bus.inner_bus.level);
    connect(bus.inner_bus.level, b.u);
  end WithDeclared;

  model Nested "a bus on a bus that nobody declares"
    Bus bus, other;
    Source s(k = 4);
    Sink sink;
  equation
    connect(s.y, bus.left.deep.x);
    connect(bus, other);
    connect(other.left.deep.x, sink.u);
  end Nested;

  model Arrays "elements one by one, in a loop and as a whole"
    parameter Integer n = 3;
    Bus bus, other;
    Source s[n](k = {1, 10, 100});
    Sink sink[n], last;
    Real total = sum(sink.seen);
  equation
    for i in 1:n loop
      connect(s[i].y, bus.x[i]);
    end for;
    connect(bus, other);
    connect(other.x, sink.u);
    connect(other.x[n], last.u);
  end Arrays;

  model Inner "an outer bus in every element of an array"
    outer Bus bus;
    Source s;
    Gain g;
  equation
    connect(bus.command, g.u);
    connect(g.y, bus.answer);
  end Inner;

  model Outer
    inner Bus bus;
    Source s(k = 2);
    Sink sink;
    Inner part;
  equation
    connect(s.y, bus.command);
    connect(bus.answer, sink.u);
  end Outer;

  connector Pin
    Real v;
    flow Real i;
  end Pin;

  model Resistor
    Pin p, n;
  equation
    p.v - n.v = p.i;
    p.i + n.i = 0;
  end Resistor;

  model Battery
    Pin p;
  equation
    p.v = 6;
  end Battery;

  model Ground
    Pin p;
  equation
    p.v = 0;
  end Ground;

  model Physical "a pin on the bus: flows sum over all that is connected"
    Bus bus, far;
    Battery battery;
    Resistor one, two, three;
    Ground ground;
  equation
    connect(battery.p, bus.plus);
    connect(bus.plus, one.p);
    connect(bus.plus, two.p);
    connect(bus, far);
    connect(far.plus, three.p);
    connect(one.n, bus.minus);
    connect(two.n, bus.minus);
    connect(three.n, far.minus);
    connect(far.minus, ground.p);
  end Physical;

  model Mentioned "a declared member that an equation gives its value"
    Declared bus;
    Sink a;
    Real read = bus.also_unused[2];
  equation
    bus.speed = 2*time;
    bus.also_unused = {1, 2, 3};
    connect(bus.speed, a.u);
  end Mentioned;

  model Conditional "connections to what is not there add nothing"
    parameter Boolean with = false;
    Bus bus;
    Source s(k = 2) if with;
    Sink a if with;
    Source other;
    Sink b;
  equation
    connect(s.y, bus.x);
    connect(bus.x, a.u);
    connect(other.y, bus.y);
    connect(bus.y, b.u);
  end Conditional;

  model Types
    Bus bus;
    Comparison c;
    Lamp lamp;
    Source s;
  equation
    connect(s.y, bus.x);
    connect(bus.x, c.u);
    connect(c.y, bus.on);
    connect(bus.on, lamp.u);
  end Types;

  model Comparison
    In u;
    Switch y;
  equation
    y = u > 1.5;
  end Comparison;

  model Lamp
    SwitchIn u;
    Real light = if u then 1 else 0;
  end Lamp;
end Buses;
