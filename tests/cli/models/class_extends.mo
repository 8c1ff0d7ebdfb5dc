// Classes that extend what the class around them inherits. Every `y` has a value that follows by hand.
package ClassExtends
  partial package Substance
    constant Real c = 1 "a factor";
    constant Integer n = 1 "sizes";
    replaceable record State
      Real t;
    end State;
    replaceable type Heat = Real(start = 2);
    replaceable partial function energy
      input State s;
      output Real h;
    end energy;
    replaceable function double
      input State s;
      output Real h;
    algorithm
      h := 2*energy(s);
    end double;
    replaceable partial model Properties
      parameter Real k = 1;
      Real t;
      Real h;
      State s;
    equation
      h = k*energy(s);
    end Properties;
    package Inner
      function scaled
        input Real x;
        output Real y[n];
      algorithm
        y := fill(c*x, n);
      end scaled;
      package Deeper
        function both
          input Real x;
          output Real y;
        algorithm
          y := sum(scaled(x)) + offset();
        end both;
      end Deeper;
    end Inner;
    replaceable function offset
      output Real y;
    algorithm
      y := 0;
    end offset;
  end Substance;

  package Oil
    extends Substance(c = 10, n = 2);
    redeclare record extends State
      Real x;
    end State;
    redeclare function extends energy
    algorithm
      h := c*s.t + s.x;
    end energy;
    redeclare replaceable model extends Properties(k = 3)
      Real extra = 100*h;
    equation
      s.t = t;
      s.x = 1;
    end Properties;
    redeclare function extends offset
    algorithm
      y := 5;
    end offset;
  end Oil;

  package HeavyOil
    extends Oil(Properties(k(min = 0)));
    redeclare model extends Properties(k = 4)
      Real more = extra + 1;
    end Properties;
    model Inside "the root of a run stands in the package"
      Properties p(t = 2);
      Real y = p.more;
    end Inside;
  end HeavyOil;

  package Gas
    extends Substance(c = 2);
    redeclare function extends energy
    algorithm
      h := c*s.t^2;
    end energy;
    redeclare model extends Properties
    equation
      s.t = t + 1;
    end Properties;
  end Gas;

  model Levels
    Oil.Properties p(t = 2);
    Real y = p.h;
    Real z = p.extra;
  end Levels;
  model ThreeLevels
    HeavyOil.Properties p(t = 2);
    HeavyOil.Properties q(t = 2, k = 5);
    Real y = p.h;
    Real z = p.more;
    Real w = q.h;
  end ThreeLevels;
  model Part
    replaceable package Medium = Substance;
    Medium.Properties p(t = 3);
    Real y = p.h;
    Real z = Medium.double(p.s);
    Real w = Medium.Inner.Deeper.both(1);
  end Part;
  model Whole
    replaceable package Medium = Oil;
    Part part(redeclare package Medium = Medium);
    Part gas[2](redeclare package Medium = Gas);
  end Whole;
  model TwoMedia
    Whole a;
    Whole b(redeclare package Medium = Gas);
  end TwoMedia;
  package LightOil = Oil(c = 20, n = 3);
  model Renamed "a short package with constants of its own"
    Part part(redeclare package Medium = LightOil);
    Real y = LightOil.energy(LightOil.State(t = 2, x = 1));
    Real z = Oil.energy(Oil.State(2, 1));
  end Renamed;

  model Machine
    replaceable model Load
      parameter Real m = 2;
      Real f = m;
    end Load;
    Load load;
  end Machine;
  model Heavy
    extends Machine;
    redeclare replaceable model extends Load(m = 7)
      Real g = f + 1;
    end Load;
    Real y = load.g;
  end Heavy;
  model Heavier "the inherited class is modified on the way"
    extends Heavy(Load(m = 8));
    redeclare model extends Load
      Real i = g + 1;
    end Load;
    Real z = load.i;
  end Heavier;
  model Other
    parameter Real m = 1;
    Real f = 3*m;
  end Other;
  model Exchanged "what is extended was replaced where it is inherited"
    extends Machine(redeclare replaceable model Load = Other(m = 4));
    redeclare model extends Load
      Real g = f + 1;
    end Load;
    Real y = load.g;
  end Exchanged;
  model Plain "without the word redeclare"
    extends Machine;
    model extends Load(m = 6)
      Real g = f + 1;
    end Load;
    Real y = load.g;
  end Plain;

  record Data
    Real m;
    String name;
  end Data;
  record MoreData
    extends Data;
    Real q = 2;
  end MoreData;
  constant MoreData[2] two = {MoreData(m = 3, name = "a"), MoreData(m = 4, name = "b")};
  partial package WithData
    constant String names[:] = {"none"};
    constant Integer n = size(names, 1);
    replaceable record Kind = Data;
    constant Kind[n] data;
    replaceable partial model Sum
      Real x;
    end Sum;
  end WithData;
  package Pair
    extends WithData(names = {"a", "b"}, redeclare record Kind = MoreData, data = two);
    redeclare model extends Sum
    equation
      x = data[1].m + data[2].q*data[n].m;
    end Sum;
  end Pair;
  model Constants "arrays of records in a package, sized by another constant of it"
    Pair.Sum s;
    Real y = s.x;
  end Constants;

  package Warm
    extends Substance;
    redeclare type extends Heat(start = 9)
    end Heat;
    redeclare function extends energy
    algorithm
      h := 1;
    end energy;
  end Warm;
  model Types
    Warm.Heat q(fixed = true);
  equation
    der(q) = 0;
  end Types;
end ClassExtends;
