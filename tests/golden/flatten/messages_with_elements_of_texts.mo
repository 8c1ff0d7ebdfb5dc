// class: M
model M
  constant String names[3] = {"water", "air", "oil"};
  Real x[3] = {time, 2*time, 3*time};
equation
  for i in 1:3 loop
    assert(x[i] < 9, "too much " + names[i] + ": " + String(x[i]));
  end for;
end M;
//| model M
//|   Real startTime(fixed = true) = 0;
//|   Real finalTime(fixed = true) = 1;
//|   Real x[3];
//| equation
//|   x[1] = time;
//|   x[2] = time*2;
//|   x[3] = time*3;
//|   assert(x[1] < 9, "too much water: {0}", x[1]);
//|   assert(x[2] < 9, "too much air: {0}", x[2]);
//|   assert(x[3] < 9, "too much oil: {0}", x[3]);
//| end M;
