// class: M
model M
  Real x;
  Integer n;
  Boolean b;
algorithm
  if x > 1 then
    when x > 2 then
      n := 1;
    end when;
  end if;
  when noEvent(x > 1) then
    b := true;
  end when;
initial algorithm
  when b then
    n := 3;
  end when;
end M;
//| fail_algorithm_when.mo:8:5: error: `when` is not allowed in a loop, an `if` or another `when` [E371]
//|   8 |     when x > 2 then
//|     |     ^~~~~~~~~~~~~~~
//| fail_algorithm_when.mo:12:8: error: this condition changes continuously, but only events may change it [E370]
//|   12 |   when noEvent(x > 1) then
//|      |        ^~~~~~~~~~~~~~
//| fail_algorithm_when.mo:16:3: error: `when` is not allowed in an initial algorithm [E371]
//|   16 |   when b then
//|      |   ^~~~~~~~~~~
