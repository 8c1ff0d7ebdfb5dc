// class: M
connector Out = output Real;
expandable connector Bus
end Bus;
model M
  Bus bus, other;
equation
  connect(bus.x, other.y);
  connect(bus.deep.x, other.deep.x);
end M;
//| fail_open_bus.mo:8:11: error: nothing says what `bus.x` is [E347]
//|   8 |   connect(bus.x, other.y);
//|     |           ^~~~~
//| fail_open_bus.mo:9:11: error: nothing says what `bus.deep.x` is [E347]
//|   9 |   connect(bus.deep.x, other.deep.x);
//|     |           ^~~~~~~~~~
