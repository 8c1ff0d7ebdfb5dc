// class: M
model M
  record R
    Integer i;
  end R;
  record More
    extends R;
    Real a;
  end More;
  model Inside
    outer R r;
    Real x = r.a;
    Integer i = r.i;
  end Inside;
  class A
    record C
      Real y;
      function f
        input Real x;
        output Real y = 2*x;
      end f;
    end C;
    constant C c(y = 1);
  end A;
  inner More r(i = 1, a = 2);
  Inside inside;
  Real z = A.c.f(1);
end M;
//| fail_rules_of_names.mo:12:16: error: there is no `a` in record `M.R` [E203]
//|   12 |     Real x = r.a;
//|      |                ^
//| fail_rules_of_names.mo:27:16: error: `f` cannot be taken out of `c`, which is a constant of a class [E253]
//|   27 |   Real z = A.c.f(1);
//|      |                ^
//| fail_rules_of_names.mo:23:16: note: declared here
//|   23 |     constant C c(y = 1);
//|      |                ^
