#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes manual pages from the program's own table of commands and options: man_pages.py BOLZA FOLDER.

bolza.1 and bolza-COMMAND.1 for every command. What they say is what `bolza COMMAND --help` says.
"""
import json
import pathlib
import subprocess
import sys

CODES = """0 done; of solve: solved, without a warning
1 not solved: there is a report, and the last iterate is in the result file
2 the input is wrong: there is a diagnostic
3 a bug of bolza
4 solved, with warnings
130, 143 interrupted by Ctrl-C, by SIGTERM: the last iterate is in the result file""".splitlines()


def plain(text):
    """Text that roff leaves alone."""
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return "\n".join("\\&" + line if line[:1] in (".", "'") else line for line in text.split("\n"))


def header(name, version):
    return f'.TH {name.upper()} 1 "" "bolza {version}" "User Commands"\n'


def option_text(option):
    names = ", ".join(f"\\fB{plain(name)}\\fR" for name in option["names"]) or f"\\fI{plain(option['positional'])}\\fR"
    value = "|".join(option["words"]) if 0 < len(option["words"]) <= 8 else option["type"] or "NAME"
    if option["names"] and option["takes_value"]:
        names += f" \\fI{plain(value)}\\fR"
    return f".TP\n{names}\n{plain(option['help'])}\n"


def synopsis(command):
    words = [f"\\fBbolza {command['name']}\\fR"]
    for option in command["options"]:
        if option["positional"]:
            word = f"\\fI{plain(option['positional'])}\\fR"
            words.append(word if option["required"] else f"[{word}]")
    return " ".join(words) + " [\\fIoptions\\fR]\n"


def command_page(command, version):
    page = header("bolza-" + command["name"], version)
    page += f".SH NAME\nbolza\\-{command['name']} \\- {plain(command['help'])}\n.SH SYNOPSIS\n{synopsis(command)}"
    for title, options in (("ARGUMENTS", [o for o in command["options"] if o["positional"]]),
                           ("OPTIONS", [o for o in command["options"] if o["names"]])):
        if options:
            page += f".SH {title}\n" + "".join(option_text(o) for o in options)
    if command["example"]:
        lines = [line.strip() for line in command["example"].splitlines()[1:]]
        page += ".SH EXAMPLE\n.nf\n" + "\n".join(plain(line) for line in lines) + "\n.fi\n"
    return page + ".SH SEE ALSO\n\\fBbolza\\fR(1)\n"


def main_page(commands, version):
    page = header("bolza", version)
    page += ".SH NAME\nbolza \\- solves dynamic optimisation problems written in Modelica, Optimica and DOML\n"
    page += ".SH SYNOPSIS\n\\fBbolza\\fR \\fIfile\\fR\n.br\n\\fBbolza\\fR \\fIcommand\\fR [\\fIarguments\\fR]\n"
    page += ".SH DESCRIPTION\nWith a file alone, bolza says what is in it and what to type next.\n.SH COMMANDS\n"
    for command in commands:
        page += f".TP\n\\fBbolza\\-{command['name']}\\fR(1)\n{plain(command['help'])}\n"
    page += ".SH EXIT STATUS\n"
    for line in CODES:
        code, meaning = line.split(" ", 1) if not line.startswith("130") else ("130, 143", line[9:])
        page += f".TP\n{code}\n{plain(meaning)}\n"
    page += ".SH ENVIRONMENT\n.TP\nMODELICAPATH\nfolders of Modelica packages, separated by colons\n"
    page += ".TP\nBOLZA_CACHE\nthe folder of compiled kernels and parsed files\n.TP\nBOLZA_STDLIB\nthe folder of bolza's own library\n"
    return page


def main():
    bolza, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    table = json.loads(subprocess.run([bolza, "completion", "--json"], capture_output=True, check=True).stdout)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "bolza.1").write_text(main_page(table["commands"], table["version"]), encoding="utf8")
    for command in table["commands"]:
        (folder / f"bolza-{command['name']}.1").write_text(command_page(command, table["version"]), encoding="utf8")


main()
