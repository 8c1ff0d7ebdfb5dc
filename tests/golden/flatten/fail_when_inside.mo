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
//| fail_when_inside.mo:13:5: error: `when` sets `part.x`, which belongs to the component `part` [E388]
//|   13 |     part.x = 1;
//|      |     ^~~~~~
//| fail_when_inside.mo:9:8: note: declared here
//|   9 |   Part part;
//|     |        ^~~~
