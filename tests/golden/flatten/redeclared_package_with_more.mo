// class: M.C
package M
  partial package Base
    constant Real c = 1;
  end Base;
  package W
    extends Base(c = 2);
    constant Real T_max = 300;
  end W;
  model G
    replaceable package Medium = Base;
    final parameter Real T = Medium.T_max - 1;
  end G;
  model Part
    replaceable package Medium = Base;
    parameter Real c = Medium.c;
  end Part;
  model A
    extends Part;
    G g(redeclare package Medium = Medium);
  end A;
  model B
    extends Part;
    G g[2](redeclare package Medium = Medium);
  end B;
  model C
    replaceable package Medium = W;
    A a(redeclare package Medium = Medium);
    B b(redeclare package Medium = Medium);
  end C;
  model D
    package Medium = W;
    A a(redeclare final package Medium = Medium);
  end D;
end M;
//| model M.C
//|   Real startTime(fixed = true) = 0;
//|   Real finalTime(fixed = true) = 1;
//|   parameter Real a.c(fixed = true) = 2;
//|   parameter Real a.g.T(fixed = true) = 299;
//|   parameter Real b.c(fixed = true) = 2;
//|   parameter Real b.g[2].T(fixed = true) = 299;
//| end M.C;
