import { useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { CodeMirror } from './editor/code-mirror.ts';
import type { CodeLanguage } from './editor/languages.ts';

interface CodeEditorProps {
  /** The accessible name. */
  label: string;
  value: string;
  language: CodeLanguage;
  readOnly?: boolean;
  /** As high as its lines, but at least this many. Default: a fixed height. */
  fewestLines?: number;
  /** The faulty line, counted from 1; null: none. */
  faultLine?: number | null;
  /** Also called when a new `value` replaces the text. */
  onChange?: (text: string) => void;
}

const LINE = 18;
const MOST_LINES = 18;

/** CSS pixels: of the lines, the padding and the border. */
function heightOf(text: string, fewest: number): number {
  return Math.min(Math.max(text.split('\n').length, fewest), MOST_LINES) * LINE + 10;
}

/** A text field has line feeds only. */
function likeBefore(text: string, before: string): string {
  return before.includes('\r\n') ? text.replaceAll('\n', '\r\n') : text;
}

/** The editor in its element, once it is loaded; null until then, and where it can't be loaded. */
function useCodeMirror(props: CodeEditorProps) {
  const host = useRef<HTMLDivElement>(null);
  const field = useRef<HTMLTextAreaElement>(null);
  const [editor, setEditor] = useState<CodeMirror | null>(null);
  // One editor for the component's life: it starts with the current values, and effects change it later.
  const latest = useRef(props);
  latest.current = props;
  useEffect(() => {
    let isGone = false;
    let made: CodeMirror | null = null;
    const load = async () => {
      const { CodeMirror } = await import('./editor/code-mirror.ts');
      const element = host.current;
      if (isGone || element === null) return;
      const root = element.shadowRoot ?? element.attachShadow({ mode: 'open' });
      const changed = (text: string) => latest.current.onChange?.(text);
      const opened = new CodeMirror({ readOnly: false, ...latest.current, root, onChange: changed });
      made = opened;
      const typed = document.activeElement === field.current ? field.current : null;
      const selected = typed && ([typed.selectionStart, typed.selectionEnd] as const);
      // In one step: the two are never in the page together, and the cursor stays where the user types.
      flushSync(() => setEditor(opened));
      if (selected) opened.focus(...selected);
    };
    load().catch(() => null);
    return () => {
      isGone = true;
      made?.destroy();
    };
  }, []);
  return { host, field, editor };
}

/**
 * Edits or shows code. CodeMirror is its own bundle that loads with the first editor; until then, and if it can't
 * be loaded, a plain text field takes its place.
 */
export function CodeEditor(props: CodeEditorProps) {
  const { label, value, language, readOnly = false, fewestLines, faultLine = null, onChange } = props;
  const { host, field, editor } = useCodeMirror({ label, value, language, readOnly, ...(onChange && { onChange }) });
  useEffect(() => editor?.show(value), [editor, value]);
  useEffect(() => editor?.configure(language, readOnly), [editor, language, readOnly]);
  // After the text: the line refers to the new text.
  useEffect(() => editor?.fault(faultLine), [editor, faultLine]);
  return (
    <div
      className="code-editor"
      style={fewestLines === undefined ? undefined : { height: heightOf(value, fewestLines) }}
    >
      <div ref={host} className="code-editor-host" hidden={editor === null} />
      {editor === null && (
        <textarea
          ref={field}
          className="code-input"
          aria-label={label}
          value={value}
          readOnly={readOnly}
          spellCheck={false}
          onChange={(event) => onChange?.(likeBefore(event.target.value, value))}
        />
      )}
    </div>
  );
}
