package Pipes "what flows mixes, splits and comes to rest"
  connector Port
    Real p;
    flow Real m;
    Real h;
    flow Real H;
  end Port;

  model Reservoir
    Port port;
    parameter Real h = 300;
  equation
    port.p = 0;
    port.H = semiLinear(port.m, port.h, h);
  end Reservoir;

  partial model Passage
    Port a, b;
    Real h(start = 300);
  equation
    a.m + b.m = 0;
    a.H = semiLinear(a.m, a.h, h);
    b.H = semiLinear(b.m, b.h, h);
  end Passage;

  model Pump "holds nothing, so that h is what flows through it"
    extends Passage;
    input Real m;
    Real heat = 0.5*m "what it does to the flow";
  equation
    a.m = m;
    a.H + b.H + heat = 0;
  end Pump;

  model Pipe
    extends Passage(h(fixed = true));
    parameter Real resistance = 1, heat = 0;
  equation
    a.p - b.p = resistance*a.m;
    der(h) = a.H + b.H + heat;
  end Pipe;

  model Circuit
    Reservoir source, sink;
    Pump pump(m = if time < 1 then 1 else 0);
    Pipe narrow(resistance = 3, heat = 1), wide(heat = 2), common;
  equation
    connect(source.port, pump.a);
    connect(pump.b, narrow.a);
    connect(pump.b, wide.a);
    connect(narrow.b, common.a);
    connect(wide.b, common.a);
    connect(common.b, sink.port);
  end Circuit;
end Pipes;
