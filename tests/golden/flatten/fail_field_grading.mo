// class: M
model M
  function back
    input Real s;
    output Real z;
  algorithm
    z := s*(1.2 - s);
  end back;
  DomainLineSegment1D omega(N = 6, redeclare function grading = back), other(N = 3, x = {0, 2, 1});
  field Real u(domain = omega), w(domain = other);
equation
  der(u) = pder(u, x) indomain omega;
  der(w) = pder(w, x) indomain other;
end M;
//| fail_field_grading.mo:9:23: error: the points of `omega` do not grow along `x`: 0.32 follows 0.36 [E514]
//|   9 |   DomainLineSegment1D omega(N = 6, redeclare function grading = back), other(N = 3, x = {0, 2, 1});
//|     |                       ^~~~~
//| fail_field_grading.mo:9:85: error: the points of `other` do not grow along `x`: 1 follows 2 [E514]
//|   9 |   DomainLineSegment1D omega(N = 6, redeclare function grading = back), other(N = 3, x = {0, 2, 1});
//|     |                                                                                     ^~~~~~~~~~~~~
