// class: M
connector In = input Real;
connector Out = output Real;
expandable connector Bus
  Real declared, unused;
end Bus;
model Source
  Out y = 1;
end Source;
model Sink
  In u;
end Sink;
model M
  Bus bus, other;
  Source s[2];
  Sink a, b;
equation
  connect(s[1].y, bus.declared);
  connect(s[2].y, bus.far.speed[2]);
  connect(s[1].y, bus.far.speed[1]);
  connect(bus, other);
  connect(other.far.speed[2], a.u);
  connect(other.declared, b.u);
end M;
//| model M
//|   Real startTime(fixed = true) = 0;
//|   Real finalTime(fixed = true) = 1;
//|   Real bus.declared;
//|   Real bus.far.speed[2];
//|   Real other.declared;
//|   Real other.far.speed[2];
//|   Real s[2].y;
//|   Real a.u;
//|   Real b.u;
//| equation
//|   s[1].y = 1;
//|   s[2].y = 1;
//|   s[1].y = bus.declared;
//|   s[1].y = bus.far.speed[1];
//|   s[1].y = other.declared;
//|   // 5 more like `s[1].y = bus.declared`
//| end M;
