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
//| fail_unsupported_operator_record.mo:12:11: error: not supported yet: operator record `Complex` [E290]
//|   12 |   Complex z(re = 1, im = 2);
//|      |           ^
//| fail_unsupported_operator_record.mo:2:17: note: its class
//|   2 | operator record Complex
//|     |                 ^~~~~~~
