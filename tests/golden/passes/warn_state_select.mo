// class: Store
model Store
  Real content(start = 1, fixed = true, stateSelect = StateSelect.never);
  Real level;
equation
  der(content) = -level;
  content = if level > 2 then 3*level - 4 else level;
end Store;
//| warn_state_select.mo:3:8: warning: `content` has stateSelect = StateSelect.never but is a state [W407]
//|   3 |   Real content(start = 1, fixed = true, stateSelect = StateSelect.never);
//|     |        ^~~~~~~
