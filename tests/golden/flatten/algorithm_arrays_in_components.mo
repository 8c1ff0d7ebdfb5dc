// class: M
model M
  block B
    Real x[3], y;
  algorithm
    for i in 1:3 loop
      x[i] := i*time;
    end for;
    y := x[2];
  end B;
  B b[2];
end M;
//| model M
//|   Real startTime(fixed = true) = 0;
//|   Real finalTime(fixed = true) = 1;
//|   Real b[2].x[3];
//|   Real b[2].y;
//| equation
//|   b[1].x[1] = algorithm(time);
//|   b[2].x[1] = algorithm(time);
//|   b[1].x[2] = algorithm(time)[2];
//|   // 5 more like `b[1].x[1] = algorithm(time)`
//| function algorithm(time) -> (b.x[:], b.y)
//|   array b.x[3]
//|   for i in 1:1:3 loop
//|     b.x[i - 1] := i*time;
//|   end
//|   b.x := b.x[1];
//|   b.y := b.x;
//| end algorithm;
//| end M;
