// class: M
model M
  parameter Real gain = 1:3;
  Real x(start = 1), y[2], limited(start = 5);
equation
  der(x) = -x;
algorithm
  for i in {1, 2}:2 loop
    y[i] := x*gain*x;
  end for;
  if y[2] > time then
    limited := time;
  end if;
end M;
//| model M
//|   Real startTime(fixed = true) = 0;
//|   Real finalTime(fixed = true) = 1;
//|   parameter Real gain(fixed = true) = 2;
//|   Real x(start = 1);
//|   Real y[2];
//|   Real limited(start = 5);
//| equation
//|   0 = der(x) + x;
//|   y[1] = algorithm(time, gain, x);
//|   y[2] = algorithm(time, gain, x)[2];
//|   limited = algorithm(time, gain, x)[3];
//| function algorithm(time, gain, x) -> (y[:], limited)
//|   array y[2]
//|   limited := 5;
//|   for i in 1:1:2 loop
//|     y[i - 1] := x*(i*gain);
//|   end
//|   y := y[1];
//|   if y > time then
//|     limited := time;
//|   else
//|   end
//| end algorithm;
//| end M;
