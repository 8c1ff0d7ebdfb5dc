// class: M
record Point
  Real x, y[2];
end Point;
function scaled
  input Point p;
  input Real k = 2;
  output Point q;
algorithm
  q := p;
  q.y := k*q.y[2:-1:1];
end scaled;
function half
  input Real x;
  output Real y;
algorithm
  y := if x > 0 then x/2 else x;
end half;
model M
  Point p(x = 1, y = {2, time}), q = scaled(p, k = 3), r = Point(y = {time, 0}, x = 4);
  Real v[3] = half({time, 2, 3});
end M;
//| model M
//|   Real startTime(fixed = true) = 0;
//|   Real finalTime(fixed = true) = 1;
//|   Real p.x;
//|   Real p.y[2];
//|   Real q.x;
//|   Real q.y[2];
//|   Real r.x;
//|   Real r.y[2];
//|   Real v[3];
//| equation
//|   p.x = 1;
//|   p.y[1] = 2;
//|   p.y[2] = time;
//|   q.x = scaled(p.x, p.y[1], p.y[2], 3);
//|   q.y[1] = scaled(p.x, p.y[1], p.y[2], 3)[2];
//|   q.y[2] = scaled(p.x, p.y[1], p.y[2], 3)[3];
//|   r.x = 4;
//|   r.y[1] = time;
//|   0 = r.y[2];
//|   v[1] = half(time);
//|   v[2] = 1;
//|   v[3] = 1.5;
//| function scaled(p.x, p.y[:], k) -> (q.x, q.y[:])
//|   array p.y[2]
//|   array q.y[2]
//|   array temporary[2]
//|   q.x := p.x;
//|   p.y := p.y[0];
//|   q.y[0] := p.y;
//|   p.y := p.y[1];
//|   q.y[1] := p.y;
//|   q.y := q.y[1];
//|   temporary[0] := k*q.y;
//|   q.y := q.y[0];
//|   temporary[1] := k*q.y;
//|   temporary := temporary[0];
//|   q.y[0] := temporary;
//|   temporary := temporary[1];
//|   q.y[1] := temporary;
//| end scaled;
//| function half(x) -> (y)
//|   y := if x > 0 then x/2 else x;
//| end half;
//| end M;
