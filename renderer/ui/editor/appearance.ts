import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import type { Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { tags } from '@lezer/highlight';

/** Colours are variables of tokens.css: they reach into a shadow root, and follow the theme without a new editor. */
const FRAME = EditorView.theme({
  '&': { height: '100%', fontSize: '12px', color: 'var(--ink)', backgroundColor: 'var(--ground)' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '18px' },
  '.cm-content': { caretColor: 'var(--ink)' },
  '.cm-gutters': { backgroundColor: 'var(--raised)', color: 'var(--text-3)', border: 'none' },
  '.cm-activeLineGutter, .cm-activeLine': { backgroundColor: 'var(--sunk)' },
  '&.cm-focused .cm-matchingBracket': { backgroundColor: 'var(--accent-soft)', outline: 'none' },
  '.cm-fault, .cm-fault.cm-activeLine': { backgroundColor: 'var(--bad-soft)', boxShadow: 'inset 3px 0 var(--bad)' },
  '.cm-panels': { backgroundColor: 'var(--raised)', color: 'var(--ink)', borderColor: 'var(--line)' },
  '.cm-textfield': { backgroundColor: 'var(--ground)', borderColor: 'var(--line-strong)' },
  '.cm-button': { backgroundImage: 'none', backgroundColor: 'var(--ground)', borderColor: 'var(--line-strong)' },
  '.cm-searchMatch': { backgroundColor: 'var(--found)' },
});

/** Variables that both themes set. */
const WORDS = HighlightStyle.define([
  { tag: [tags.propertyName, tags.attributeName], color: 'var(--info)' },
  { tag: [tags.string, tags.attributeValue], color: 'var(--ok)' },
  { tag: [tags.number, tags.bool, tags.null], color: 'var(--warn)' },
  { tag: [tags.keyword, tags.tagName, tags.typeName], color: 'var(--word)' },
  { tag: [tags.comment, tags.meta], color: 'var(--text-3)' },
  { tag: tags.invalid, color: 'var(--bad)' },
]);

/** Frame and colours of all editors. */
export const APPEARANCE: Extension = [FRAME, syntaxHighlighting(WORDS)];
