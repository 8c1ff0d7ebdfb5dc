#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# libSBML's expansion of function definitions puts an argument that is named like a later parameter in twice: `y - x` becomes `x - x`.
#
# Version    libsbml5-dev 5.19.7+dfsg-2 of Debian 12, with what it needs, all into a temporary folder
# Input      a valid model: excess(x, y) = x - y, and a rule z = excess(y, x) with constants x = 3, y = 5
# Truth      z = y - x = 2
# Seen       SBMLDocument::expandFunctionDefinitions() succeeds, no error is logged, and the rule is z = x - x, 0.
#            Arguments are put in one after the other: the first one's text is taken for the second argument.
#            excess(y, 1) gives 1 - 1, excess(1, x) is right. Upstream: sbmlteam/libsbml, issue 299, mended after this version.
# For users  Michaelis-Menten laws with substrate and product exchanged are such calls. Who expands has to give arguments names that
#            the model has nowhere else first.
#
# Needs      Debian 12 on amd64, apt with its sources, g++. Fails (1) when this behaviour changes.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
version=5.19.7+dfsg-2
mkdir -p "$folder/archives/partial" "$folder/root"
touch "$folder/status"
apt-get -q -y -o Dir::State::status="$folder/status" -o Dir::Cache::archives="$folder/archives" -o Debug::NoLocking=1 \
  -o APT::Sandbox::User=root --no-install-recommends --download-only install "libsbml5-dev=$version" >"$folder/log" 2>&1 ||
  { tail -n 5 "$folder/log"; echo "the packages could not be had"; exit 2; }
for package in "$folder"/archives/*.deb; do
  case $(basename "$package") in
    libc6* | libc-* | libcrypt* | libgcc* | libstdc++* | gcc-* | linux-libc-dev*) ;;  # the compiler's own
    *) dpkg-deb --extract "$package" "$folder/root" ;;
  esac
done

cat >"$folder/expand.cpp" <<'CPP'
#include <sbml/SBMLTypes.h>

#include <cstdio>
#include <cstdlib>
#include <string>

LIBSBML_CPP_NAMESPACE_USE

std::string expanded(const std::string& first, const std::string& second) {
  const std::string math = "<math xmlns=\"http://www.w3.org/1998/Math/MathML\">", end = "</math>";
  std::string text = "<sbml xmlns=\"http://www.sbml.org/sbml/level3/version1/core\" level=\"3\" version=\"1\"><model id=\"m\">"
                     "<listOfFunctionDefinitions><functionDefinition id=\"excess\">" + math +
                     "<lambda><bvar><ci> x </ci></bvar><bvar><ci> y </ci></bvar>"
                     "<apply><minus/><ci> x </ci><ci> y </ci></apply></lambda>" + end +
                     "</functionDefinition></listOfFunctionDefinitions><listOfParameters>"
                     "<parameter id=\"x\" value=\"3\" constant=\"true\"/><parameter id=\"y\" value=\"5\" constant=\"true\"/>"
                     "<parameter id=\"z\" constant=\"false\"/></listOfParameters><listOfRules><assignmentRule variable=\"z\">" +
                     math + "<apply><ci> excess </ci>" + first + second + "</apply>" + end +
                     "</assignmentRule></listOfRules></model></sbml>";
  SBMLDocument* document = readSBMLFromString(text.c_str());
  document->checkConsistency();
  bool valid = document->getNumErrors(LIBSBML_SEV_ERROR) + document->getNumErrors(LIBSBML_SEV_FATAL) == 0;
  bool done = document->expandFunctionDefinitions();
  char* formula = SBML_formulaToL3String(document->getModel()->getRule(0)->getMath());
  std::string out = std::string(valid ? "valid, " : "invalid, ") + (done ? "" : "not expanded, ") + "z = " + formula;
  std::free(formula);
  delete document;
  return out;
}

int main() {
  const std::string x = "<ci> x </ci>", y = "<ci> y </ci>", one = "<cn> 1 </cn>";
  std::printf("RESULT excess(1, x): %s; excess(y, 1): %s; excess(y, x): %s\n", expanded(one, x).c_str(), expanded(y, one).c_str(),
              expanded(y, x).c_str());
}
CPP

libraries=$folder/root/usr/lib/x86_64-linux-gnu
g++ -std=c++17 -w -I"$folder/root/usr/include" "$folder/expand.cpp" -o "$folder/expand" \
  -L"$libraries" -Wl,-rpath-link,"$libraries" -lsbml
seen=$(LD_LIBRARY_PATH="$libraries" "$folder/expand" | sed -n 's/^RESULT //p')
expected='excess(1, x): valid, z = 1 - x; excess(y, 1): valid, z = 1 - 1; excess(y, x): valid, z = x - x'
echo "libsbml5 $version: $seen"
[ "$seen" = "$expected" ] || { echo "this has changed; expected was: $expected"; exit 1; }
