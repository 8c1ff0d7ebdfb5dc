// What the language forbids and others let pass.
package Leniency
  model Small
    parameter Real k = 1;
    Real x = k*time;
  end Small;
  model Large
    parameter Real k = 2;
    Real x = k*time + 1;
  end Large;
  model Holder
    Small part;
    model Kind = Small;
    Kind kind;
  end Holder;
  model Redeclared
    Holder h(redeclare Large part, redeclare model Kind = Large);
  end Redeclared;
end Leniency;
