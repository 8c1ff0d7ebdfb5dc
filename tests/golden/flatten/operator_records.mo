// class: M
operator record Complex
  Real re, im;
  operator function '+'
    input Complex a, b;
    output Complex c;
  algorithm
    c := Complex(a.re + b.re, a.im + b.im);
  end '+';
end Complex;
model M
  Complex z(re = 1, im = 2);
end M;
//| model M
//|   Real startTime(fixed = true) = 0;
//|   Real finalTime(fixed = true) = 1;
//|   Real z.re;
//|   Real z.im;
//| equation
//|   z.re = 1;
//|   z.im = 2;
//| end M;
