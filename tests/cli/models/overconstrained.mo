package Overconstrained "frames of the plane, whose orientation is a unit vector (c, s): two variables, one of them independent"
  record Direction
    Real c, s;
    function equalityConstraint "the angle between both, for small angles"
      input Direction a, b;
      output Real residue[1];
    algorithm
      residue := {a.c*b.s - a.s*b.c};
    end equalityConstraint;
  end Direction;

  connector Frame
    Direction R;
    flow Real t;
  end Frame;

  model Ground
    parameter Real angle = 0;
    Frame a;
  equation
    Connections.root(a.R);
    a.R = Direction(cos(angle), sin(angle));
  end Ground;

  model Turn "b is turned by angle against a"
    parameter Real angle = 0;
    Frame a, b;
    Boolean from_a = Connections.rooted(a.R);
  equation
    Connections.branch(a.R, b.R);
    a.t + b.t = 0;
    if Connections.rooted(a.R) then
      b.R = Direction(a.R.c*cos(angle) - a.R.s*sin(angle), a.R.s*cos(angle) + a.R.c*sin(angle));
    else
      a.R = Direction(b.R.c*cos(angle) + b.R.s*sin(angle), b.R.s*cos(angle) - b.R.c*sin(angle));
    end if;
  end Turn;

  model Spring "turns by the angle that its torque asks for"
    parameter Real k = 1;
    Real phi(start = 0.1);
    Frame a, b;
  equation
    Connections.branch(a.R, b.R);
    a.t + b.t = 0;
    b.t = k*phi;
    if rooted(a.R) then
      b.R = Direction(a.R.c*cos(phi) - a.R.s*sin(phi), a.R.s*cos(phi) + a.R.c*sin(phi));
    else
      a.R = Direction(b.R.c*cos(phi) + b.R.s*sin(phi), b.R.s*cos(phi) - b.R.c*sin(phi));
    end if;
  end Spring;

  model Body "stands still where no other root is"
    parameter Integer priority = 0;
    parameter Real own = 0.5, torque = 0;
    Frame a;
    Boolean is_root = Connections.isRoot(a.R);
  equation
    Connections.potentialRoot(a.R, priority);
    if Connections.isRoot(a.R) then
      a.R = Direction(cos(own), sin(own));
    else
      a.t = torque;
    end if;
  end Body;

  model Chain "from the ground outwards"
    Ground ground(angle = 0.1);
    Turn one(angle = 0.2), two(angle = 0.3);
    Real c = one.a.R.c, s = one.a.R.s;
  equation
    connect(ground.a, two.b);
    connect(two.a, one.b);
  end Chain;

  model Loop "two springs and a rigid part close a loop: their angles add to nothing"
    Ground ground;
    Spring soft(k = 1), hard(k = 3);
    Turn bent(angle = 0.4);
  equation
    connect(ground.a, soft.a);
    connect(soft.b, bent.a);
    connect(bent.b, hard.a);
    connect(hard.b, ground.a);
  end Loop;

  model ByPriority "the second body has the least priority; the third one comes later"
    Body bodies[3](priority = {2, 1, 1}, own = {0.1, 0.2, 0.3});
    Turn turns[2](angle = {1, 2});
  equation
    for i in 1:2 loop
      connect(bodies[i].a, turns[i].a);
      connect(turns[i].b, bodies[i + 1].a);
    end for;
  end ByPriority;

  model Separate "two trees, one with a root, one without"
    Ground ground(angle = 0.7);
    Body on_ground(own = 0.2), free(own = 0.3), with_it(own = 0.4);
  equation
    connect(ground.a, on_ground.a);
    connect(free.a, with_it.a);
  end Separate;

  model Inner "an outer frame handed on to an inner part"
    Frame a, b;
    Turn turn(angle = 0.25);
  equation
    connect(a, turn.a);
    connect(turn.b, b);
  end Inner;

  model Nested
    Ground ground;
    Inner first, second;
    Body body;
  equation
    connect(ground.a, first.a);
    connect(first.b, second.a);
    connect(second.b, body.a);
  end Nested;

  model TwoGrounds "a connection between two roots is broken: what stands still there carries the torque"
    Ground left, right(angle = 0.4);
    Spring spring(k = 2);
  equation
    connect(left.a, spring.a);
    connect(spring.b, right.a);
  end TwoGrounds;

  model Side "frames in an array"
    parameter Integer n = 2;
    Frame frame[n];
    Spring spring[n - 1](k = 1:n - 1);
  equation
    for i in 1:n - 1 loop
      connect(frame[i], spring[i].a);
      connect(spring[i].b, frame[i + 1]);
    end for;
  end Side;

  model Arrays "two springs side by side: the second connection of the arrays closes a loop"
    Ground ground;
    Side left(n = 2), right(n = 2);
    Body body(torque = -0.6);
  equation
    connect(left.frame, right.frame);
    connect(ground.a, left.frame[1]);
    connect(body.a, left.frame[2]);
  end Arrays;

  model Conditional
    parameter Boolean grounded = true;
    Ground ground(angle = 0.9) if grounded;
    Body body(own = 0.5);
  equation
    connect(ground.a, body.a);
  end Conditional;

  type Phase
    extends Real;
    function equalityConstraint
      input Phase a[:], b[:];
      output Real residue[0];
    algorithm
    end equalityConstraint;
  end Phase;

  connector Terminal "a rotating reference, known to all, that no connection determines twice"
    Phase theta[2];
    Real v;
    flow Real i;
  end Terminal;

  model Generator
    parameter Real g = 1, v0 = 0;
    Terminal t;
  equation
    Connections.potentialRoot(t.theta);
    t.i = g*(t.v - v0);
    if Connections.isRoot(t.theta) then
      t.theta = {time, 2*time};
    end if;
  end Generator;

  model Line
    Terminal a, b;
  equation
    Connections.branch(a.theta, b.theta);
    a.theta = b.theta;
    a.i + b.i = 0;
    a.v - b.v = a.i;
  end Line;

  model Grid "three generators in a ring of lines"
    Generator g[3](v0 = {1, 2, 6});
    Line line[3];
  equation
    for i in 1:3 loop
      connect(g[i].t, line[i].a);
      connect(line[i].b, g[mod(i, 3) + 1].t);
    end for;
  end Grid;
end Overconstrained;
