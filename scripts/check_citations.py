#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Fails when citations and documents are out of step.

* Every key in brackets, `[KEY]` or `[KEY, 6.2]`, in a comment or a page has a row in docs/references.md, and every row is
  cited at least once outside that page.
* No file names a document that is not in the repository: a `*.md` that does not exist, a page or paper by a private name.
* Relative links of pages lead to files, and their anchors to headings.
* The index of docs/decisions lists every page there, and links from README.md reach every page of docs.
"""
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
REFERENCES = ROOT / "docs/references.md"
CODE = {".cpp", ".h", ".c", ".g4", ".mo", ".mop"}  # comments begin with // or stand between /* and */
SHARP = {".py", ".sh", ".cmake", ".txt", ".test", ".json", ""}  # comments begin with #

# Citations without a place. `page` is a page of ours only when its link or path is given.
VAGUE = [
    (re.compile(r"\b(design|problems|style|language|dependencies) page\b", re.I), "name the file instead of “{}”"),
    (re.compile(r"\b[Ss]eed[- ]?0\d\d\b|(?<=[\[(; ])00[0-9](?=[,;] (section|theorem|lemma|remark|\(|\d))|\b(of|in) 00[0-9]\b"),
     "cite the paper by its key instead of “{}”"),
    (re.compile(r"\.md,? (section )?[A-Z]\.\d"), "“{}” is not a section of a page here"),
]
KEY = re.compile(r"[A-Z][A-Z0-9-]*[A-Z0-9]$")
NOT_A_KEY = re.compile(r"[EW]\d{3}$|[IVXLC]+$")  # codes of diagnostics, Roman numerals
BRACKETS = re.compile(r"\[([A-Z][^\[\]]*)\](?!\()")
PATH = re.compile(r"[\w./-]*\w\.md\b")
LINK = re.compile(r"\]\(([^()\s]+)\)")


def files():
    """Tracked and new files; all below the root where there is no git."""
    listed = subprocess.run(["git", "ls-files", "--cached", "--others", "--exclude-standard"], cwd=ROOT, capture_output=True,
                            text=True, check=False)
    if listed.returncode == 0:
        names = [ROOT / line for line in listed.stdout.splitlines()]
    else:
        names = [f for f in ROOT.rglob("*") if "build" not in f.relative_to(ROOT).parts]
    return sorted(f for f in names if f.is_file() and "stdlib" not in f.relative_to(ROOT).parts)


def comments(text, suffix):
    """(line number, text) of every comment; of every line of a page outside its code."""
    if suffix == ".md":
        fenced = False
        for number, line in enumerate(text.splitlines(), 1):
            if line.lstrip().startswith("```"):
                fenced = not fenced
            elif not fenced:
                yield number, re.sub(r"`[^`]*`", "``", line)
        return
    if suffix in CODE:
        # One citation may reach over a line's end: comments of neighbouring lines are read as one text.
        found = [(text.count("\n", 0, m.start()) + 1, m.group())
                 for m in re.finditer(r"//[^\n]*(?:\n[ \t]*//[^\n]*)*|/\*.*?\*/", text, re.S)]
        for number, comment in found:
            yield number, re.sub(r"\s*\n\s*(//+/?|\*)?<?\s*", " ", comment)
    elif suffix in SHARP:
        for number, line in enumerate(text.splitlines(), 1):
            if "#" in line:
                yield number, line[line.index("#"):]


def keys_in(bracket):
    """The keys of a bracket: the first word, and any other part that looks like one: [A, 6.2; B]."""
    parts = [part.strip() for part in re.split(r"[,;]", bracket)]
    if not KEY.match(parts[0]) or NOT_A_KEY.match(parts[0]):
        return []
    return [part for part in parts if KEY.match(part) and not NOT_A_KEY.match(part)]


def anchors(page):
    """The anchors that a forge makes of the headings of a page."""
    made = set()
    for _, line in comments(re.sub(r"`", "", page.read_text(encoding="utf8")), ".md"):
        heading = re.match(r"#+ +(.*)", line)
        if heading:
            slug = re.sub(r"[^\w\- ]", "", heading.group(1).strip().lower()).replace(" ", "-")
            made.add(slug)
    return made


def check_paths(file, number, text, errors):
    for path in PATH.findall(text):
        if re.match(r"[/.]*[\w-]*\*", path) or "://" in text:
            continue
        places = [file.parent / path, ROOT / path, ROOT / "docs" / path]
        if not any(place.is_file() for place in places):
            errors.append(f"{file.relative_to(ROOT)}:{number}: there is no {path} in the repository")


def check_links(file, number, line, errors):
    for target in LINK.findall(line):
        if re.match(r"[a-z]+:", target):
            continue
        path, _, anchor = target.partition("#")
        place = (file.parent / path) if path else file
        if not place.exists():
            errors.append(f"{file.relative_to(ROOT)}:{number}: the link {target} leads nowhere")
        elif anchor and place.suffix == ".md" and anchor not in anchors(place):
            errors.append(f"{file.relative_to(ROOT)}:{number}: {target}: there is no such heading")


def links_of(page):
    """The pages that a page links to."""
    targets = [target.partition("#")[0] for _, line in comments(page.read_text(encoding="utf8"), ".md") for target in LINK.findall(line)]
    return {(page.parent / target).resolve() for target in targets if target.endswith(".md") and ":" not in target}


def check_indexes(errors):
    index = ROOT / "docs/decisions/README.md"
    listed = links_of(index)
    errors += [f"docs/decisions/README.md: {page.name} is not listed"
               for page in sorted(index.parent.glob("*.md")) if page != index and page not in listed]
    reached, ahead = set(), [ROOT / "README.md"]
    while ahead:
        page = ahead.pop()
        if page not in reached and page.is_file():
            reached.add(page)
            ahead += links_of(page)
    errors += [f"{page.relative_to(ROOT)}: no link from README.md leads here"
               for page in sorted((ROOT / "docs").rglob("*.md")) if page not in reached]


def main():
    rows = re.findall(r"^\| \[([^\]]+)\] \|", REFERENCES.read_text(encoding="utf8"), re.M)
    errors = [f"docs/references.md: two rows for [{key}]" for key in sorted(set(rows)) if rows.count(key) > 1]
    cited, n = set(), 0
    for file in files():
        if file.suffix not in CODE | SHARP | {".md"} or file == REFERENCES or file == pathlib.Path(__file__).resolve():
            continue
        try:
            text = file.read_text(encoding="utf8")
        except UnicodeDecodeError:
            continue
        n += 1
        for number, comment in comments(text, file.suffix):
            place = f"{file.relative_to(ROOT)}:{number}"
            for bracket in BRACKETS.findall(comment):
                for key in keys_in(bracket):
                    if key in rows:
                        cited.add(key)
                    elif file.suffix not in SHARP:
                        errors.append(f"{place}: [{key}] is not in docs/references.md")
            for pattern, message in VAGUE:
                for match in pattern.finditer(comment):
                    errors.append(f"{place}: " + message.format(match.group()))
            check_paths(file, number, comment, errors)
            if file.suffix == ".md":
                check_links(file, number, comment, errors)
    check_indexes(errors)
    errors += [f"docs/references.md: [{key}] is cited nowhere" for key in rows if key not in cited]
    print("\n".join(errors) if errors else f"{len(rows)} references, citations of {n} files are in step")
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
