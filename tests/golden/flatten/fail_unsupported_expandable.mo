// class: M
expandable connector Bus
end Bus;
connector Out = output Real;
model Source
  Out y = 1;
end Source;
model M
  Bus bus;
  Source s;
equation
  connect(s.y, bus.speed);
end M;
//| fail_unsupported_expandable.mo:9:7: error: not supported yet: expandable connector `Bus` [E290]
//|   9 |   Bus bus;
//|     |       ^~~
//| fail_unsupported_expandable.mo:2:22: note: its class
//|   2 | expandable connector Bus
//|     |                      ^~~
