// class: M
model M
  type length = Real;
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
  length length = 1;
  inner More r(i = 1, a = 2);
  Inside inside;
  A a;
  Real y = a.A.c.f(1);
  Real z = A.c.f(1);
end M;
