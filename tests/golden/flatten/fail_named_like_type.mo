// class: P.M
package P
  type length = Real;
  model M
    length length = 1;
    length width = 2;
  end M;
end P;
//| fail_named_like_type.mo:5:12: error: `length` has the name of its type [E254]
//|   5 |     length length = 1;
//|     |            ^~~~~~
