package StepChain "an initial equation for a variable that equals pre of another"
  model Step
    parameter Boolean first = false;
    Boolean active, local, next, enter, leave;
  initial equation
    active = first;
    pre(next) = pre(local);
  equation
    local = pre(next);
    active = local;
    next = enter or local and not leave;
  end Step;

  model Ring
    Step a(first = true), b;
    discrete Real turns(start = 0, fixed = true);
  equation
    a.leave = a.active and sample(1, 2);
    b.leave = b.active and sample(2, 2);
    b.enter = a.leave;
    a.enter = b.leave;
    when a.active then
      turns = pre(turns) + 1;
    end when;
  end Ring;
end StepChain;
