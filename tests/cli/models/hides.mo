// SPDX-License-Identifier: Apache-2.0
package Hides "a package with a class of its own name, which hides it inside"
  model Hides
    Real x(start = 1, fixed = true);
  equation
    der(x) = -x;
  end Hides;
  model Other
    Real y = 2;
  end Other;
  model Twice
    Hides.Hides a, b(x(start = 3));
    Hides.Other c;
    Real sum = a.x + b.x + c.y;
  end Twice;
  model Wrong
    Hides.Nowhere a;
  end Wrong;
end Hides;
