// class: M
model M
  parameter String a = "k" + 1;
  parameter String b = "k" - "l";
  parameter String c = "k" + "l";
  Real x = time;
end M;
//| fail_text_sum.mo:3:24: error: `+` cannot be applied to String and Integer [E234]
//|   3 |   parameter String a = "k" + 1;
//|     |                        ^~~~~~~
//| fail_text_sum.mo:4:24: error: `-` cannot be applied to String and String [E234]
//|   4 |   parameter String b = "k" - "l";
//|     |                        ^~~~~~~~~
