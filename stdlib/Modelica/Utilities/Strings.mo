within Modelica.Utilities;
package Strings "Text: values of String parameters, computed before a model runs"
  extends Modelica.Icons.FunctionsPackage;

  function length "number of characters"
    extends Modelica.Icons.Function;
    input String string;
    output Integer result;
  external "builtin" result = stringLength(string);
  end length;

  function substring "characters startIndex to endIndex; the first has index 1"
    extends Modelica.Icons.Function;
    input String string;
    input Integer startIndex(min = 1);
    input Integer endIndex;
    output String result;
  external "builtin" result = stringSubstring(string, startIndex, endIndex);
  end substring;

  function repeat "n times the same text"
    extends Modelica.Icons.Function;
    input Integer n(min = 0) = 1;
    input String string = " ";
    output String repeatedString = "";
  algorithm
    for i in 1:n loop
      repeatedString := repeatedString + string;
    end for;
  end repeat;

  function compare "order of two strings"
    extends Modelica.Icons.Function;
    input String string1;
    input String string2;
    input Boolean caseSensitive = true;
    output Modelica.Utilities.Types.Compare result;
  protected
    Integer order = Internal.order(string1, string2, caseSensitive);
  algorithm
    result := if order < 0 then Modelica.Utilities.Types.Compare.Less elseif order > 0 then Modelica.Utilities.Types.Compare.Greater
      else Modelica.Utilities.Types.Compare.Equal;
  end compare;

  function isEqual "whether two strings are the same"
    extends Modelica.Icons.Function;
    input String string1;
    input String string2;
    input Boolean caseSensitive = true;
    output Boolean identical;
  algorithm
    identical := Internal.order(string1, string2, caseSensitive) == 0;
  end isEqual;

  function isEmpty "whether a string has nothing but blanks"
    extends Modelica.Icons.Function;
    input String string;
    output Boolean result;
  algorithm
    result := true;
    for i in 1:length(string) loop
      if substring(string, i, i) <> " " and substring(string, i, i) <> "\t" and substring(string, i, i) <> "\n" then
        result := false;
      end if;
    end for;
  end isEmpty;

  function find "index of the first place from startIndex on where searchString stands, 0 when there is none"
    extends Modelica.Icons.Function;
    input String string;
    input String searchString;
    input Integer startIndex(min = 1) = 1;
    input Boolean caseSensitive = true;
    output Integer index;
  protected
    Integer n = length(searchString);
    Integer i = startIndex;
  algorithm
    index := 0;
    while index == 0 and i + n - 1 <= length(string) loop
      if isEqual(substring(string, i, i + n - 1), searchString, caseSensitive) then
        index := i;
      end if;
      i := i + 1;
    end while;
  end find;

  function findLast "index of the last place where searchString stands, 0 when there is none"
    extends Modelica.Icons.Function;
    input String string;
    input String searchString;
    input Boolean caseSensitive = true;
    output Integer index;
  protected
    Integer n = length(searchString);
    Integer i = length(string) - length(searchString) + 1;
  algorithm
    index := 0;
    while index == 0 and i >= 1 loop
      if isEqual(substring(string, i, i + n - 1), searchString, caseSensitive) then
        index := i;
      end if;
      i := i - 1;
    end while;
  end findLast;

  function count "how often searchString stands in string, without overlaps"
    extends Modelica.Icons.Function;
    input String string;
    input String searchString;
    input Integer startIndex(min = 1) = 1;
    input Boolean caseSensitive = true;
    output Integer result;
  protected
    Integer at = find(string, searchString, startIndex, caseSensitive);
  algorithm
    result := 0;
    while at > 0 loop
      result := result + 1;
      at := find(string, searchString, at + length(searchString), caseSensitive);
    end while;
  end count;

  function replace "string with replaceString in the place of searchString, everywhere or the first time only"
    extends Modelica.Icons.Function;
    input String string;
    input String searchString;
    input String replaceString;
    input Integer startIndex(min = 1) = 1;
    input Boolean replaceAll = true;
    input Boolean caseSensitive = true;
    output String result;
  protected
    Integer done = 1 "first character that is not yet in the result";
    Integer at = find(string, searchString, startIndex, caseSensitive);
  algorithm
    result := "";
    while at > 0 loop
      result := result + substring(string, done, at - 1) + replaceString;
      done := at + length(searchString);
      at := if replaceAll then find(string, searchString, done, caseSensitive) else 0;
    end while;
    result := result + substring(string, done, length(string));
  end replace;

  package Internal "What the others are made of"
    function order "-1, 0 or 1"
      input String string1;
      input String string2;
      input Boolean caseSensitive;
      output Integer result;
    algorithm
      result := place(string1, string2, caseSensitive) - 2;
    end order;

    function place "1, 2 or 3"
      input String string1;
      input String string2;
      input Boolean caseSensitive;
      output Integer result;
    external "C" result = ModelicaStrings_compare(string1, string2, caseSensitive);
    end place;
  end Internal;
end Strings;
