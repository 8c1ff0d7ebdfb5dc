// SPDX-License-Identifier: Apache-2.0
// The editor that takes the place of a text field: Modelica's words, and what `check` says beside its lines.
import {defaultKeymap, history, historyKeymap, indentWithTab} from "@codemirror/commands";
import {HighlightStyle, StreamLanguage, bracketMatching, indentOnInput, indentUnit, syntaxHighlighting} from "@codemirror/language";
import {modelica} from "@codemirror/legacy-modes/mode/modelica";
import {lintGutter, lintKeymap, setDiagnostics} from "@codemirror/lint";
import {highlightSelectionMatches, searchKeymap} from "@codemirror/search";
import {EditorState} from "@codemirror/state";
import {EditorView, drawSelection, highlightActiveLine, keymap, lineNumbers} from "@codemirror/view";
import {tags} from "@lezer/highlight";

const colours = HighlightStyle.define([
  {tag: tags.keyword, color: "var(--accent)", fontWeight: "600"},
  {tag: tags.string, color: "var(--good)"},
  {tag: tags.comment, color: "var(--soft)", fontStyle: "italic"},
  {tag: tags.number, color: "var(--warn)"},
]);
const theme = EditorView.theme({
  ".cm-content": {caretColor: "var(--ink)", fontFamily: "ui-monospace, monospace"},
  ".cm-cursor": {borderLeftColor: "var(--ink)"},
  ".cm-activeLine": {backgroundColor: "color-mix(in srgb, var(--accent) 8%, transparent)"},
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": {backgroundColor: "color-mix(in srgb, var(--accent) 30%, transparent)"},
  ".cm-tooltip, .cm-panels": {backgroundColor: "var(--card)", color: "var(--ink)"},
});
const optimica = {...modelica, name: "optimica"};

/** Places of [{line, column, message, code, severity}] in the text. */
function placed(state, list) {
  return list.map((d) => {
    const line = state.doc.line(Math.min(Math.max(d.line || 1, 1), state.doc.lines));
    const from = Math.min(line.from + Math.max((d.column || 1) - 1, 0), line.to);
    const word = /^[\w.]+/.exec(state.doc.sliceString(from, line.to));
    return {from, to: word ? from + word[0].length : line.to, severity: d.severity === "error" ? "error" : "warning", message: `${d.message} [${d.code}]`};
  });
}

/** @param changed called with the text after it was changed  @returns {show(diagnostics), text(), replace(text)} */
export function edit(field, changed) {
  const state = EditorState.create({
    doc: field.value,
    extensions: [
      lineNumbers(), history(), drawSelection(), highlightActiveLine(), highlightSelectionMatches(), bracketMatching(), indentOnInput(),
      indentUnit.of("  "), StreamLanguage.define(optimica), syntaxHighlighting(colours), lintGutter(), theme, EditorView.lineWrapping,
      // Escape, then Tab, leaves the editor by the keyboard.
      keymap.of([...defaultKeymap, ...historyKeymap, ...searchKeymap, ...lintKeymap, indentWithTab]),
      EditorView.contentAttributes.of({"aria-label": field.getAttribute("aria-label") || "Model", spellcheck: "false"}),
      EditorView.updateListener.of((update) => {
        if (!update.docChanged) return;
        field.value = update.state.doc.toString();
        changed(field.value);
      }),
    ],
  });
  const view = new EditorView({state});
  field.hidden = true;
  field.after(view.dom);
  return {
    show: (list) => view.dispatch(setDiagnostics(view.state, placed(view.state, list))),
    replace: (text) => view.dispatch({changes: {from: 0, to: view.state.doc.length, insert: text}}),
  };
}
