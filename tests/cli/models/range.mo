model Range "a range cannot end at a vector"
  Real y;
algorithm
  y := 0;
  for i in 1:{1, 2} loop
    y := y + time;
  end for;
end Range;
