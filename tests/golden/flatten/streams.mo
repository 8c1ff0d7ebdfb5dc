// class: Junction
connector Port
  Real p;
  flow Real m(nominal = 2);
  stream Real h;
end Port;
model Side
  parameter Boolean returns = true;
  Port a(m(min = if returns then -1e9 else 0));
  Real seen = inStream(a.h);
  Real carried = a.m*actualStream(a.h), actual = actualStream(a.h);
equation
  a.h = 1;
end Side;
model Junction
  Side one, two, three(returns = false);
equation
  connect(one.a, two.a);
  connect(one.a, three.a);
end Junction;
//| model Junction
//|   Real startTime(fixed = true) = 0;
//|   Real finalTime(fixed = true) = 1;
//|   parameter Boolean one.returns(fixed = true) = 1;
//|   Real one.a.p;
//|   Real one.a.m(min = -1e+09, nominal = 2);
//|   Real one.a.h;
//|   Real one.a.inStream(h);
//|   Real one.seen;
//|   Real one.carried;
//|   Real one.actual;
//|   parameter Boolean two.returns(fixed = true) = 1;
//|   Real two.a.p;
//|   Real two.a.m(min = -1e+09, nominal = 2);
//|   Real two.a.h;
//|   Real two.a.inStream(h);
//|   Real two.seen;
//|   Real two.carried;
//|   Real two.actual;
//|   parameter Boolean three.returns(fixed = true) = 0;
//|   Real three.a.p;
//|   Real three.a.m(min = 0, nominal = 2);
//|   Real three.a.h;
//|   Real three.a.inStream(h);
//|   Real three.seen;
//|   Real three.carried;
//|   Real three.actual;
//| equation
//|   one.seen = one.a.inStream(h);
//|   one.carried = noEvent(if one.a.m > 0 then one.a.inStream(h) else one.a.h)*one.a.m;
//|   one.actual = if one.a.m > 0 then one.a.inStream(h) else one.a.h;
//|   two.seen = two.a.inStream(h);
//|   two.carried = noEvent(if two.a.m > 0 then two.a.inStream(h) else two.a.h)*two.a.m;
//|   two.actual = if two.a.m > 0 then two.a.inStream(h) else two.a.h;
//|   three.seen = three.a.inStream(h);
//|   three.carried = noEvent(if three.a.m > 0 then three.a.inStream(h) else three.a.h)*three.a.m;
//|   three.actual = if three.a.m > 0 then three.a.inStream(h) else three.a.h;
//|   one.a.h = 1;
//|   two.a.h = 1;
//|   three.a.h = 1;
//|   0 = three.a.m + (one.a.m + two.a.m);
//|   three.a.inStream(h) = (one.a.h*((1 - noEvent(if (noEvent(max(-one.a.m, 0)) + noEvent(max(-two.a.m, 0)))/2e-06 > 1 then 1 else (noEvent(max(-one.a.m, 0)) + noEvent(max(-two.a.m, 0)))/2e-06*((noEvent(max(-one.a.m, 0)) + noEvent(max(-two.a.m, 0)))/2e-06)*(3 - (noEvent(max(-one.a.m, 0)) + noEvent(max(-two.a.m, 0)))/2e-06*2)))*2e-06 + noEvent(if (noEvent(max(-one.a.m, 0)) + noEvent(max(-two.a.m, 0)))/2e-06 > 1 then 1 else (… + …)/…*…*…)*…) + …)/…;
//|   // 4 more like `one.seen = one.a.inStream(h)`
//| end Junction;
