// class: M
connector Port
  Real p;
  flow Real m;
  stream Real h;
end Port;
model M
  Port a;
  Real v = inStream(a.m);
  Real w = inStream(2*a.h);
  Real x = actualStream(v);
  Real y = inStream(a);
  Real z = f(1);
  function f
    input Real u;
    output Real y = inStream(u);
  algorithm
  end f;
equation
  a.p = 1;
  a.h = 2;
end M;
//| fail_streams.mo:9:21: error: `inStream` needs a stream variable of a connector, this is `a.m`, which is declared without `stream` [E320]
//|   9 |   Real v = inStream(a.m);
//|     |                     ^~~
//| fail_streams.mo:10:21: error: `inStream` needs a stream variable of a connector, this is `2*a.h` [E320]
//|   10 |   Real w = inStream(2*a.h);
//|      |                     ^~~~~
//| fail_streams.mo:11:25: error: `actualStream` needs a stream variable of a connector, this is `v`, which is declared without `stream` [E320]
//|   11 |   Real x = actualStream(v);
//|      |                         ^
//| fail_streams.mo:12:21: error: `inStream` needs a stream variable of a connector, this is `a`, which is declared without `stream` [E320]
//|   12 |   Real y = inStream(a);
//|      |                     ^
//| fail_streams.mo:16:21: error: this cannot be used inside a function [E341]
//|   16 |     output Real y = inStream(u);
//|      |                     ^~~~~~~~~~~
