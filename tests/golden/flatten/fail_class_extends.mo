// class: M
partial package Base
  replaceable model A
    Real x = 1;
  end A;
  final model B
    Real x = 1;
  end B;
  replaceable model C
    Real x = 1;
  end C;
end Base;
package Derived
  extends Base;
  redeclare function extends A
  end A;
  redeclare model extends B
  end B;
  redeclare model extends D
  end D;
  redeclare final model extends C
  end C;
end Derived;
package Later
  extends Derived;
  redeclare model extends C
  end C;
end Later;
model M
  Derived.A a;
  Derived.B b;
  Later.C c;
end M;
//| fail_class_extends.mo:19:27: error: `D` is not inherited by `Derived`, so there is nothing that it could extend [E260]
//|   19 |   redeclare model extends D
//|      |                           ^
//| fail_class_extends.mo:15:30: error: `function extends A` extends a model [E261]
//|   15 |   redeclare function extends A
//|      |                              ^
//| fail_class_extends.mo:3:21: note: declared here
//|   3 |   replaceable model A
//|     |                     ^
//| fail_class_extends.mo:17:27: error: `B` is final, it cannot be extended under its own name [E262]
//|   17 |   redeclare model extends B
//|      |                           ^
//| fail_class_extends.mo:6:15: note: declared final here
//|   6 |   final model B
//|     |               ^
//| fail_class_extends.mo:26:27: error: `C` is final, it cannot be extended under its own name [E262]
//|   26 |   redeclare model extends C
//|      |                           ^
//| fail_class_extends.mo:21:33: note: declared final here
//|   21 |   redeclare final model extends C
//|      |                                 ^
