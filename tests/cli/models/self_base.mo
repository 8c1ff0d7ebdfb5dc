model SelfBase
  extends SelfBase.Electrical.Circuit(R1(R = 1));
end SelfBase;
