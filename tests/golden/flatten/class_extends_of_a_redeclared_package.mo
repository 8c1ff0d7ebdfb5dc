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
//| model M
//|   Real startTime(fixed = true) = 0;
//|   Real finalTime(fixed = true) = 1;
//|   Real pipe.d;
//| equation
//|   pipe.d = 6;
//| function density(p) -> (d)
//|   d := p*2;
//| end density;
//| end M;
