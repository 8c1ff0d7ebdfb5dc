model Literal "an enumeration begins at its first literal"
  type Phase = enumeration(filling, boiling, done);
  Phase phase;
equation
  when time > 0.5 then
    phase = Phase.boiling;
  end when;
end Literal;
