// class: M
model M
  Real x[2];
algorithm
  x[1] := time;
  for i in 1:{1, 2} loop
  Real := {1, 2, 3};
  end for;
    M := 3;
end M;
//| fail_assignment.mo:7:5: error: this cannot be assigned to [E342]
//|   7 |     i := 3;
//|     |     ^~~~~~
//| fail_assignment.mo:9:3: error: the sizes in this assignment differ: [2] and [3] [E302]
//|   9 |   x := {1, 2, 3};
//|     |   ^~~~~~~~~~~~~~
