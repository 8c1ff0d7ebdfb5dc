// Functions that events call: they work on Strings, act outside, or give another number each time.
package AtEvents
  impure function seed
    input Integer state[33];
    input Integer id;
    external "C" ModelicaRandom_setInternalState_xorshift1024star(state, size(state, 1), id);
  end seed;
  impure function draw
    input Integer id;
    output Real y;
    external "C" y = ModelicaRandom_impureRandom_xorshift1024star(id);
  end draw;
  impure function seeded
    input Integer id;
    output Integer same = id;
  algorithm
    seed(cat(1, 1:32, {0}), id);
  end seeded;
  model Draws "one number per call and tick, however many events there are and however often they are iterated"
    Real x(start = 0, fixed = true), first, second[2], third[2];
    Integer id(start = 0, fixed = true), n(start = 0, fixed = true);
    Boolean high;
  equation
    der(x) = 1;
    high = x > 0.5 or (x > 1.5 and n > 1);
    when initial() then
      id = seeded(9);
    end when;
    when sample(0.25, 1) then
      first = draw(id);
      n = if high then pre(n) + 2 else pre(n) + 1;
    end when;
    when sample(1.6, 1) then
      for k in 1:2 loop
        third[k] = draw(id);
      end for;
    end when;
  algorithm
    when time >= 1 then
      for k in 1:2 loop
        second[k] := draw(id);
      end for;
      if n > 5 then
        second[1] := draw(id);
      end if;
    end when;
  end Draws;

  function words "of a number of Strings that is only known when it runs"
    input Real x;
    input String unit;
    output Integer n = 0;
    output Real twice[2];
  protected
    String parts[if x > 1 then 3 else 1];
  algorithm
    for k in 1:size(parts, 1) loop
      parts[k] := String(k*x, format = ".1f") + unit;
      n := n + Modelica.Utilities.Strings.length(parts[k]);
      Modelica.Utilities.Streams.print(parts[k]);
    end for;
    twice := {2*x, size(parts, 1)};
  end words;
  model Words
    parameter String unit = "mm";
    Integer n(start = 0, fixed = true), m(start = 0, fixed = true);
    Real y[2](each start = 0, each fixed = true);
  algorithm
    when time > 0.7 then
      (n, y) := words(time, unit);
    elsewhen sample(2, 5) then
      (m, y) := words(time, unit);
    end when;
  end Words;

  impure function mkdir
    input String name;
    external "C" ModelicaInternal_mkdir(name);
  end mkdir;
  impure function rmdir
    input String name;
    external "C" ModelicaInternal_rmdir(name);
  end rmdir;
  impure function rename
    input String from, to;
    external "C" ModelicaInternal_rename(from, to);
  end rename;
  impure function copy
    input String from, to;
    external "C" ModelicaInternal_copyFile(from, to);
  end copy;
  impure function remove
    input String name;
    external "C" ModelicaInternal_removeFile(name);
  end remove;
  impure function enter
    input String name;
    external "C" ModelicaInternal_chdir(name);
  end enter;
  impure function where
    output String name;
    external "C" name = ModelicaInternal_getcwd(0);
  end where;
  impure function set
    input String name, content;
    external "C" ModelicaInternal_setenv(name, content, false);
  end set;
  impure function get
    input String name;
    output String content;
    output Boolean exist;
    external "C" ModelicaInternal_getenv(name, false, content, exist);
  end get;
  impure function count
    input String folder;
    output Integer n;
    external "C" n = ModelicaInternal_getNumberOfFiles(folder);
  end count;
  impure function names
    input String folder;
    input Integer n;
    output String names[n];
    external "C" ModelicaInternal_readDirectory(folder, n, names);
  end names;
  impure function lines
    input String file;
    input Integer n;
    output String lines[n];
    external "C" ModelicaInternal_readFile(file, lines, size(lines, 1));
  end lines;
  impure function clock
    output Integer ms, sec, min, hour, day, mon, year;
    external "C" ModelicaInternal_getTime(ms, sec, min, hour, day, mon, year);
  end clock;
  function files "makes files and folders, looks at them, removes them"
    input String folder;
    output Integer n;
  protected
    String inside = folder + "/made", found[2], text[2], was, content;
    Boolean exist;
    Integer t[7];
  algorithm
    mkdir(inside);
    Modelica.Utilities.Streams.print("one", inside + "/b");
    Modelica.Utilities.Streams.print("two", inside + "/b");
    copy(inside + "/b", inside + "/c");
    rename(inside + "/c", inside + "/a");
    n := count(inside);
    found := names(inside, n);
    assert(found[1] == "a" and found[2] == "b", "names " + found[1] + " and " + found[2]);
    text := lines(inside + "/a", 2);
    assert(text[1] == "one" and text[2] == "two", "lines " + text[1] + " and " + text[2]);
    was := where();
    enter(inside);
    assert(where() == inside, "the folder is " + where());
    enter(was);
    set("AT_EVENTS", "a b");
    (content, exist) := get("AT_EVENTS");
    assert(exist and content == "a b", "the variable is " + content);
    (t[1], t[2], t[3], t[4], t[5], t[6], t[7]) := clock();
    assert(t[1] < 1000 and t[2] < 61 and t[3] < 60 and t[4] < 24 and t[5] < 32 and t[6] < 13 and t[7] > 2000, "the time");
    remove(inside + "/a");
    remove(inside + "/b");
    rmdir(inside);
  end files;
  model Files
    parameter String folder;
    Integer n(start = 0, fixed = true);
  algorithm
    when initial() then
      n := files(folder);
    end when;
  end Files;
  function twice "what is there already is not made again"
    input String folder;
    output Integer n = 1;
  algorithm
    mkdir(folder);
  end twice;
  model Fails
    parameter String folder;
    Integer n(start = 0, fixed = true);
  algorithm
    when initial() then
      n := twice(folder);
    end when;
  end Fails;
end AtEvents;
