// Arrays written by an index that varies: a ring of samples, what fell out of it, and a table of counts.
model Buffer
  parameter Integer n = 400 "places";
  parameter Integer bins = 5;
  discrete Real ring[n](start = fill(-1.0, n), each fixed = true);
  discrete Real total(start = 0, fixed = true) "of what the ring holds";
  Integer at(start = 0, fixed = true), count[bins](each start = 0, each fixed = true);
  Integer next;
  Real first = ring[1], last = ring[n], middle = ring[div(n, 2)];
algorithm
  next := mod(at, n) + 1;
  when sample(0.01, 0.01) then
    at := pre(at) + 1;
    ring[next] := time;
    count[1 + mod(at, bins)] := pre(count[1 + mod(at, bins)]) + 1;
    total := sum(ring);
  end when;
end Buffer;
