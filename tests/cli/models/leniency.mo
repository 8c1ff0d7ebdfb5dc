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
  type T = Real(unit = "K");
  package Types
    type T = Leniency.T;
  end Types;
  partial model One
    parameter Real p = 2 "a parameter" annotation(Dialog(group = "one"));
    Leniency.T t = 3 "a temperature";
    Real x[2] = {1, 2};
    record R "a record"
      Real a = 1 "a field";
    end R;
  end One;
  partial model Other
    parameter Real p = 2 annotation(Dialog(group = "other"));
    T t = 3;
    Real[2] x = {1, 2} "sizes before" + " the name";
  end Other;
  model Merged
    extends One;
    extends Other;
    record R "the same record" // with another comment
      Real a = 1;
      annotation(Icon());
    end R;
    R r;
    Real y = time*(p + t + x[1] + 2*x[2] + r.a);
  end Merged;
  model Repeated
    parameter Real p = 2;
    Real y = p*time;
    /* and */ parameter Real p = 2 "once more";
  end Repeated;
  model OtherValue
    extends One;
    parameter Real p = 3;
  end OtherValue;
  model OtherType
    extends One;
    parameter Integer p = 2;
  end OtherType;
  model OtherClass
    extends One;
    record R
      Real a = 2;
    end R;
  end OtherClass;
  model Conditional
    parameter Boolean with_part = true;
    Small part(k = 4) if with_part;
    Real y = part.x + time;
  end Conditional;
end Leniency;
