// class: M
model M
  Real y;
  Integer k;
equation
  for j loop
    y = time;
  end for;
  y = sum(i.a for i in 1:3);
  y = sum(i for i in 1:0:3);
  y = sum(zeros(k));
  for i in 1:k loop
    y = i;
  end for;
end M;
//| fail_loops.mo:6:7: error: the range of `j` is not implied by a subscript [E312]
//|   6 |   for j loop
//|     |       ^
//| fail_loops.mo:9:11: error: the iterator `i` is a scalar and has no members [E311]
//|   9 |   y = sum(i.a for i in 1:3);
//|     |           ^~~
//| fail_loops.mo:10:22: error: the step of this range is zero [E313]
//|   10 |   y = sum(i for i in 1:0:3);
//|      |                      ^~~~~
//| fail_loops.mo:11:17: error: `k` is needed at compile time, but has no value then [E308]
//|   11 |   y = sum(zeros(k));
//|      |                 ^
//| fail_loops.mo:12:14: error: `k` is needed at compile time, but has no value then [E308]
//|   12 |   for i in 1:k loop
//|      |              ^
