package DefaultOrder "fields and inputs whose defaults name others that are declared later"
  record Field
    parameter Real each_one = 1;
    parameter Real all = each_one*n "n follows";
    parameter Real[:, 2] places;
    parameter Integer n = size(places, 1);
  end Field;
  record Three
    extends Field(places = {{0, 0}, {1, 1}, {2, 2}});
  end Three;
  record Plant
    parameter Field field;
    parameter Real x = 1;
  end Plant;
  record Usual
    extends Plant(field = Three());
  end Usual;
  function f
    input Real a = 2*b;
    input Real b = c + 1;
    input Real c;
    output Real y = a + 10*b + 100*c;
  algorithm
  end f;
  model Part
    parameter Plant plant;
    Real y = plant.field.all*time;
  end Part;
  model M
    parameter Usual own(field = Three(each_one = 5));
    parameter Usual usual;
    Part a(plant = own), b(plant = usual);
    Real c = f(c = time), d = f(b = time, c = 1);
  end M;
end DefaultOrder;
