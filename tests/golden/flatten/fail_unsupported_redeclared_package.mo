// class: M
partial package Medium
  replaceable partial function density
    input Real p;
    output Real d;
  end density;
end Medium;
package Water
  extends Medium;
  redeclare function extends density
  algorithm
    d := 2*p;
  end density;
end Water;
model Pipe
  replaceable package M = Medium;
  Real d = M.density(3);
end Pipe;
model M
  Pipe pipe(redeclare package M = Water);
end M;
//| fail_unsupported_redeclared_package.mo:10:30: error: not supported yet: `class extends` (`density`) [E290]
//|   10 |   redeclare function extends density
//|      |                              ^~~~~~~
//| fail_unsupported_redeclared_package.mo:10:30: note: used here
//|   10 |   redeclare function extends density
//|      |                              ^~~~~~~
