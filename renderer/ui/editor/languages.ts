import { html } from '@codemirror/lang-html';
import { javascript } from '@codemirror/lang-javascript';
import { json } from '@codemirror/lang-json';
import type { Extension } from '@codemirror/state';

const LANGUAGES = {
  json: () => json(),
  /** Styles and scripts inside the page get the colours of their language. */
  html: () => html(),
  javascript: () => javascript(),
  text: () => [],
} satisfies Record<string, () => Extension>;

/** What an editor can colour; `text` has no colours. */
export type CodeLanguage = keyof typeof LANGUAGES;

/** The extension of a language. Created for each editor. */
export function languageOf(name: CodeLanguage): Extension {
  return LANGUAGES[name]();
}
