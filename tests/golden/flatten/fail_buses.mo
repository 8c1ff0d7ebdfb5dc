// class: M
connector In = input Real;
connector Switch = input Boolean;
connector Out = output Real;
expandable connector Bus
end Bus;
model Source
  Out y = 1;
end Source;
model M
  Bus bus, other;
  Source s, t;
  In v, w;
  Plain plain;
  connector Plain
    Real x;
    flow Real f;
  end Plain;
  model Sink
    In u;
    Switch on;
  end Sink;
  Sink a;
  model Writer
    Bus bus;
    Source s;
  equation
    connect(s.y, bus.written);
  end Writer;
  Writer one, two;
equation
  connect(bus.nowhere, a.u);
  connect(s.y, bus.twice);
  connect(bus, other);
  connect(t.y, other.twice);
  connect(bus.twice, a.on);
  connect(bus, plain);
  connect(bus, one.bus);
  connect(other, two.bus);
end M;
//| fail_buses.mo:36:3: error: `bus.twice` and `a.on` cannot be connected, their members differ [E356]
//|   36 |   connect(bus.twice, a.on);
//|      |   ^~~~~~~~~~~~~~~~~~~~~~~~
//| fail_buses.mo:33:20: note: declared here
//|   33 |   connect(s.y, bus.twice);
//|      |                    ^~~~~
//| fail_buses.mo:21:12: note: declared here
//|   21 |     Switch on;
//|      |            ^~
//| fail_buses.mo:37:3: error: `bus` and `plain` cannot be connected, their members differ [E356]
//|   37 |   connect(bus, plain);
//|      |   ^~~~~~~~~~~~~~~~~~~
//| fail_buses.mo:11:7: note: declared here
//|   11 |   Bus bus, other;
//|      |       ^~~
//| fail_buses.mo:14:9: note: declared here
//|   14 |   Plain plain;
//|      |         ^~~~~
//| fail_buses.mo:35:3: error: the connection has two sources: `s.y` and `t.y` [E358]
//|   35 |   connect(t.y, other.twice);
//|      |   ^~~~~~~~~~~~~~~~~~~~~~~~~
//| fail_buses.mo:33:3: note: the other one
//|   33 |   connect(s.y, bus.twice);
//|      |   ^~~~~~~~~~~~~~~~~~~~~~~
//| fail_buses.mo:28:5: error: the connection has two sources: `one.s.y` and `two.s.y` [E358]
//|   28 |     connect(s.y, bus.written);
//|      |     ^~~~~~~~~~~~~~~~~~~~~~~~~
//| fail_buses.mo:28:5: note: the other one
//|   28 |     connect(s.y, bus.written);
//|      |     ^~~~~~~~~~~~~~~~~~~~~~~~~
//| fail_buses.mo:32:3: error: `bus.nowhere` is read from the bus, but nothing writes it [E348]
//|   32 |   connect(bus.nowhere, a.u);
//|      |   ^~~~~~~~~~~~~~~~~~~~~~~~~
