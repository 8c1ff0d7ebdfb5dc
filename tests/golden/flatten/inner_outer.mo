// class: System
connector Port
  Real T;
  flow Real q;
end Port;
model Ambient
  parameter Real T = 20;
  Port port;
equation
  port.T = T;
end Ambient;
model Wall
  outer Ambient ambient;
  parameter Real G = 2;
  Port port;
equation
  port.q = G*(port.T - ambient.T);
  connect(port, ambient.port);
end Wall;
model System
  inner Ambient ambient(T = 15);
  Wall wall;
  Wall more[2](each G = 3);
end System;
//| model System
//|   Real startTime(fixed = true) = 0;
//|   Real finalTime(fixed = true) = 1;
//|   parameter Real ambient.T(fixed = true) = 15;
//|   Real ambient.port.T;
//|   Real ambient.port.q;
//|   parameter Real wall.G(fixed = true) = 2;
//|   Real wall.port.T;
//|   Real wall.port.q;
//|   parameter Real more[2].G(fixed = true) = 3;
//|   Real more[2].port.T;
//|   Real more[2].port.q;
//| equation
//|   ambient.port.T = ambient.T;
//|   wall.port.q = wall.G*(wall.port.T - ambient.T);
//|   more[1].port.q = more[1].G*(more[1].port.T - ambient.T);
//|   more[2].port.q = more[2].G*(more[2].port.T - ambient.T);
//|   wall.port.T = ambient.port.T;
//|   wall.port.T = more[1].port.T;
//|   ambient.port.q - wall.port.q - more[1].port.q = more[2].port.q;
//|   0 = wall.port.q;
//|   0 = more[1].port.q;
//|   0 = more[2].port.q;
//|   // 1 more like `ambient.port.T = ambient.T`
//| end System;
