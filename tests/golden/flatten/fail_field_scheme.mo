// class: M
model M
  DomainLineSegment1D omega(scheme = "best");
  field Real u(domain = omega);
equation
  der(u) = pder(u, x) indomain omega;
end M;
//| fail_field_scheme.mo:3:29: error: there is no scheme `best`: there are automatic, central, upwind, limited [E511]
//|   3 |   DomainLineSegment1D omega(scheme = "best");
//|     |                             ^~~~~~~~~~~~~~~
