within Bolza;
package Fields "Domains of fields, and what their equations are made of"
  function uniform "a grid of equal distances"
    input Real s "from 0 to 1";
    output Real z "from 0 to 1";
  algorithm
    z := s;
  end uniform;

  record DomainLineSegment1D "points of a line"
    record Region
    end Region;
    replaceable function grading = uniform "place of a point, from 0 to 1, by its number, from 0 to 1";
    parameter Real x0 = 0 "coordinate of the left side";
    parameter Real L(min = 0) = 1 "length";
    parameter Integer N = 10 "number of points";
    parameter String scheme = "automatic" "of first derivatives: automatic, central, upwind, limited";
    final parameter Real dx = L/(N - 1) "mean distance of points";
    parameter Real x[N] = {x0 + L*grading((i - 1)/(N - 1)) for i in 1:N} "coordinate";
    Region left, right, interior;
  end DomainLineSegment1D;

  record DomainRectangle2D "points of a rectangle"
    record Region
    end Region;
    replaceable function gradingX = uniform "place of a point, from 0 to 1, by its number, from 0 to 1";
    replaceable function gradingY = uniform "the same along y";
    parameter Real x0 = 0 "coordinate of the left side", y0 = 0 "coordinate of the lower side";
    parameter Real Lx(min = 0) = 1 "width", Ly(min = 0) = 1 "height";
    parameter Integer Nx = 10 "number of points along x", Ny = 10 "number of points along y";
    parameter String scheme = "automatic" "of first derivatives: automatic, central, upwind, limited";
    final parameter Real dx = Lx/(Nx - 1), dy = Ly/(Ny - 1) "mean distances of points";
    parameter Real x[Nx] = {x0 + Lx*gradingX((i - 1)/(Nx - 1)) for i in 1:Nx} "coordinate";
    parameter Real y[Ny] = {y0 + Ly*gradingY((i - 1)/(Ny - 1)) for i in 1:Ny} "coordinate";
    Region left, right, bottom, top, interior;
  end DomainRectangle2D;

  function limitedStep "between two neighbouring steps of a field: 0 where they differ in sign, their mean where they are small"
    input Real a, b "steps";
    input Real small "size of steps that need not be limited";
    output Real step;
  protected
    Real both = (a*b + sqrt((a*b)^2 + small^4))/2 "positive part of a*b";
  algorithm
    step := 2*both^2*(a + b)/((a^2 + b^2)^2 + small^4);
  end limitedStep;
end Fields;
