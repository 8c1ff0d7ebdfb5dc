// class: M
model M
  record P
    parameter Integer n;
    Real v[n];
  end P;
  function large
    input Real u;
    output Real y = u;
  protected
    P r[2147483648](n = {1, 1});
  algorithm
    y := r[1].v[1];
  end large;
  Real y = large(time);
end M;
//| fail_large_local.mo:11:7: error: `r` has more than 50 million elements [E397]
//|   11 |     P r[2147483648](n = {1, 1});
//|      |       ^
