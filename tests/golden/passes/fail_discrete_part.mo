// class: M
model M
  Real x(start = 1, fixed = true);
  Boolean low, high;
equation
  der(x) = if low then 1 else -x;
  low = x < 0.5;
  not low = x >= 0.25;
end M;
//| fail_discrete_part.mo:7:3: error: the discrete part of the model has 2 equations for 2 variables [E422]
//|   7 |   low = x < 0.5;
//|     |   ^~~~~~~~~~~~~
//| fail_discrete_part.mo:7:3: note: one too many: low = x < 0.5
//|   7 |   low = x < 0.5;
//|     |   ^~~~~~~~~~~~~
//| fail_discrete_part.mo:8:3: note: one too many: not low = x >= 0.25
//|   8 |   not low = x >= 0.25;
//|     |   ^~~~~~~~~~~~~~~~~~~
//| fail_discrete_part.mo:4:16: note: not determined: `high`
//|   4 |   Boolean low, high;
//|     |                ^~~~
