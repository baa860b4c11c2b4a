import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { bracketMatching, indentOnInput } from '@codemirror/language';
import { search, searchKeymap } from '@codemirror/search';
import { Compartment, EditorState, type Extension, StateEffect, StateField, Text } from '@codemirror/state';
import {
  Decoration,
  type DecorationSet,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  keymap,
  lineNumbers,
} from '@codemirror/view';
import { APPEARANCE } from './appearance.ts';
import { type CodeLanguage, languageOf } from './languages.ts';

interface CodeMirrorOptions {
  /**
   * CodeMirror adds its styles by script. In a shadow root it uses style sheet objects, which the page's CSP allows.
   */
  root: ShadowRoot;
  /** The accessible name. */
  label: string;
  value: string;
  language: CodeLanguage;
  readOnly: boolean;
  onChange: (text: string) => void;
}

/** Ctrl+Enter sends a request: CodeMirror's own use of it would add an empty line to what is sent. */
const KEYS = defaultKeymap.filter(({ key }) => key !== 'Mod-Enter');

const setFault = StateEffect.define<number | null>();

/** The faulty line, which moves with its text. */
const FAULT = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update: (marks, { changes, effects, state: { doc } }) => {
    const effect = effects.filter((each) => each.is(setFault)).at(-1);
    if (effect === undefined) return marks.map(changes);
    const line = effect.value;
    if (line === null || line < 1 || line > doc.lines) return Decoration.none;
    return Decoration.set([Decoration.line({ class: 'cm-fault' }).range(doc.line(line).from)]);
  },
  provide: (field) => EditorView.decorations.from(field),
});

/**
 * What ends the lines of a text. CodeMirror's default takes any line break for one, and writes all as a line feed: a
 * form's CRLF would be lost. Every other line break stays in its line, as it is.
 */
function lineBreakOf(text: string): string {
  return text.includes('\r\n') ? '\r\n' : '\n';
}

/** Pasted lines end as those of the text. */
function lineBreaks(lineBreak: string): Extension {
  return [
    EditorState.lineSeparator.of(lineBreak),
    EditorView.clipboardInputFilter.of((pasted) => pasted.replace(/\r\n|\r|\n/g, lineBreak)),
  ];
}

/**
 * A text editor with line numbers, search, undo and the colours of a language. Tab moves the focus on, as in a field.
 */
export class CodeMirror {
  readonly #view: EditorView;
  readonly #language = new Compartment();
  readonly #editable = new Compartment();
  readonly #lineBreaks = new Compartment();

  constructor({ root, label, value, language, readOnly, onChange }: CodeMirrorOptions) {
    const extensions = [
      ...[lineNumbers(), highlightActiveLine(), highlightActiveLineGutter(), EditorView.lineWrapping],
      ...[history(), search({ top: true }), bracketMatching(), indentOnInput()],
      keymap.of([...KEYS, ...historyKeymap, ...searchKeymap]),
      EditorView.contentAttributes.of({ 'aria-label': label, spellcheck: 'false' }),
      EditorView.updateListener.of(({ docChanged, state }) => {
        if (docChanged) onChange(state.sliceDoc());
      }),
      this.#language.of(languageOf(language)),
      this.#editable.of(EditorState.readOnly.of(readOnly)),
      this.#lineBreaks.of(lineBreaks(lineBreakOf(value))),
      FAULT,
      APPEARANCE,
    ];
    this.#view = new EditorView({ state: EditorState.create({ doc: value, extensions }), parent: root, root });
  }

  /** Replaces the text if it differs: an editor in use keeps its cursor. */
  show(text: string): void {
    const { state } = this.#view;
    if (state.sliceDoc() === text) return;
    const lineBreak = lineBreakOf(text);
    this.#view.dispatch({
      effects: this.#lineBreaks.reconfigure(lineBreaks(lineBreak)),
      changes: { from: 0, to: state.doc.length, insert: Text.of(text.split(lineBreak)) },
    });
  }

  /** The language may follow a header that is being edited: text, cursor and undo stay. */
  configure(language: CodeLanguage, readOnly: boolean): void {
    const effects = [
      this.#language.reconfigure(languageOf(language)),
      this.#editable.reconfigure(EditorState.readOnly.of(readOnly)),
    ];
    this.#view.dispatch({ effects });
  }

  /** Marks the faulty line, counted from 1; null: none. */
  fault(line: number | null): void {
    this.#view.dispatch({ effects: setFault.of(line) });
  }

  /** Takes the focus, with the cursor or selection between two offsets into the text. */
  focus(anchor: number, head: number): void {
    const { length } = this.#view.state.doc;
    this.#view.dispatch({ selection: { anchor: Math.min(anchor, length), head: Math.min(head, length) } });
    this.#view.focus();
  }

  /** Removes the editor's element and its listeners; it can't be used again. */
  destroy(): void {
    this.#view.destroy();
  }
}
