// class: M
model M
  model Part
    discrete Real x;
  end Part;
  record Pair
    Real a, b;
  end Pair;
  Part part;
  Pair pair;
equation
  when sample(0, 1) then
    part.x = 1;
    pair.a = 2;
    pair.b = 3;
  end when;
end M;
