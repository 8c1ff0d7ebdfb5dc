// Operator records. The numbers a + b e with e^2 = 0 multiply as values with their derivatives do: (x, 1) squared is (x^2, 2 x).
package Operators
  operator record Dual
    Real v "value";
    Real d "derivative";
    encapsulated operator 'constructor'
      function of
        import Operators.Dual;
        input Real v;
        input Real d = 0;
        output Dual r(v = v, d = d);
      algorithm
      end of;
      function ofRatio
        import Operators.Dual;
        input Integer numerator;
        input Integer denominator;
        output Dual r;
      algorithm
        r.v := numerator/denominator;
        r.d := 0;
      end ofRatio;
    end 'constructor';
    encapsulated operator function '0'
      import Operators.Dual;
      output Dual r = Dual(0.0);
    algorithm
    end '0';
    encapsulated operator function '+'
      import Operators.Dual;
      input Dual a;
      input Dual b;
      output Dual r = Dual(a.v + b.v, a.d + b.d);
    algorithm
    end '+';
    encapsulated operator '-'
      function negate
        import Operators.Dual;
        input Dual a;
        output Dual r = Dual(-a.v, -a.d);
      algorithm
      end negate;
      function subtract
        import Operators.Dual;
        input Dual a;
        input Dual b;
        output Dual r;
      algorithm
        r := Dual(v = a.v - b.v, d = a.d - b.d);
      end subtract;
    end '-';
    encapsulated operator function '*'
      import Operators.Dual;
      input Dual a;
      input Dual b;
      output Dual r;
    algorithm
      r := Dual(a.v*b.v, a.d*b.v + a.v*b.d);
    end '*';
    encapsulated operator function '/'
      import Operators.Dual;
      input Dual a;
      input Dual b;
      output Dual r;
    algorithm
      r := Dual(a.v/b.v, (a.d*b.v - a.v*b.d)/b.v^2);
    end '/';
    encapsulated operator function '^'
      import Operators.Dual;
      input Dual a;
      input Integer n;
      output Dual r;
    algorithm
      r := Dual(1.0);
      for i in 1:n loop
        r := r*a;
      end for;
    end '^';
    encapsulated operator function '=='
      import Operators.Dual;
      input Dual a;
      input Dual b;
      output Boolean r;
    algorithm
      r := a.v == b.v and a.d == b.d;
    end '==';
    encapsulated operator function 'String'
      import Operators.Dual;
      input Dual a;
      input String unit = "e";
      output String s;
    algorithm
      s := String(a.v) + " + " + String(a.d) + unit;
    end 'String';
  end Dual;
  type Angle = Real(unit = "rad");
  operator record Slope = Dual(v(start = 5)) "of another name";

  model Running "x = (1 + t, 1)"
    Dual x(v = 1 + time, d = 1);
    Dual sum = x + x;
    Dual square = x*x;
    Dual cube = x^3;
    Dual ratio = 1/x;
    Dual poly = 3*x^2 - 2*x + 1;
    Dual minus = -x;
    Dual third = Dual(1, 3)*x "by the constructor of Integers";
    Slope slope = x*x;
  end Running;
  model Arrays
    Dual x(v = 1 + time, d = 1);
    Dual v[2] = {x, x*x};
    Dual twice[2] = 2*v;
    Dual total = sum(v);
    Dual times = product(v);
    Dual none = sum(v[1:0]);
    Dual powers = sum(x^i for i in 1:3);
    Dual m[2, 2] = {{x, Dual(1.0)}, {Dual(0.0), x}};
    Dual mv[2] = m*v;
    Dual mm[2, 2] = m*m;
    Dual each2[2] = v .* v;
    Dual less[2] = v - v;
  end Arrays;
  model Fixed "at compile time"
    constant Dual x = Dual(3.0, 1.0);
    constant Dual y = x*x + 2*x - 1;
    constant Dual z[2] = {x, y} .* {x, x};
    constant Dual s = sum(z) - product({x, x});
    parameter Boolean same = x + x == 2*x;
    parameter Integer n = integer(y.v) + integer(s.d);
    Real a[n] = time*ones(n);
    Real w = time*(y.v + 100*y.d);
  equation
    assert(s.v > 1e9 or time < 1.5, "s is " + String(s) + ", in x " + String(x, unit = " dx"), AssertionLevel.warning);
  end Fixed;
  model Solved "an implicit equation between them, and states"
    Dual u;
    Dual p(v(start = 1, fixed = true), d(start = 0, fixed = true));
  equation
    u*u*u + u = Dual(10.0, 1.0);
    der(p.v) = (-p).v;
    der(p.d) = (Dual(-1.0, 1.0)*p).d;
  end Solved;

  operator record Two
    Real v;
    encapsulated operator '+'
      function one
        import Operators.Two;
        input Two a;
        input Two b;
        output Two r = Two(a.v + b.v);
      algorithm
      end one;
      function other
        import Operators.Two;
        input Two b;
        input Two c;
        output Two r = Two(2*(b.v + c.v));
      algorithm
      end other;
    end '+';
  end Two;
  model Ambiguous
    Two a(v = time);
    Two b = a + a;
  end Ambiguous;
  model Missing
    Two a(v = time);
    Two b = a*a;
    Boolean c = a < a;
  end Missing;
  model MissingAtCompileTime
    constant Two a = Two(1);
    constant Two b = a - a;
    Real x = b.v*time;
  end MissingAtCompileTime;
end Operators;
