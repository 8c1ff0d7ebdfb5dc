// What functions assert: inlined or not, errors and warnings, in branches, with texts of values.
package Asserted
  function root "inlined"
    input Real x;
    output Real y;
  algorithm
    assert(x >= 0, "the root of " + String(x, significantDigits = 3) + " is not real");
    y := sqrt(abs(x));
  end root;
  function search "stays a call"
    input Real x;
    output Real y;
  protected
    Real s;
  algorithm
    s := 1;
    while s*s < x loop
      s := s + 1;
      assert(s < 3, "gone too far, to " + String(s, format = ".1f"), AssertionLevel.warning);
    end while;
    assert(x < 8, "nothing found for x = " + String(x, format = ".0f"));
    y := s;
  end search;
  function nested
    input Real x;
    output Real y;
  algorithm
    y := 2*root(x);
  end nested;
  function valid "says nothing else"
    input Real x;
  algorithm
    assert(x < 0.5, "x is " + String(x, format = ".1f"));
    assert(x < 0.25, "x is not small", AssertionLevel.warning);
  end valid;
  model Inlined
    Real x(start = 1, fixed = true), y;
  equation
    der(x) = -1;
    y = nested(x);
  end Inlined;
  model Branch "the root is taken where it is real"
    Real x(start = 1, fixed = true), y;
  equation
    der(x) = -1;
    y = if x > 0 then root(x) else 0;
  end Branch;
  model Stepped "search(x) steps at 1, 4; it is asked at the ends of steps"
    Real x(start = 0, fixed = true), area(start = 0, fixed = true);
  equation
    der(x) = 1;
    der(area) = search(x);
  end Stepped;
  model When
    Real x(start = 0, fixed = true), y(start = 0, fixed = true);
  equation
    der(x) = -1;
    when x < -0.5 then
      y = root(x);
    end when;
  end When;
  model Checked
    Real x(start = 0, fixed = true);
  equation
    der(x) = 1;
    valid(x);
  end Checked;
  model Section
    Real x(start = 0, fixed = true), y;
  equation
    der(x) = 1;
  algorithm
    y := 2*x;
    assert(y < 1, "y is " + String(y, format = ".0f"));
  end Section;
end Asserted;
