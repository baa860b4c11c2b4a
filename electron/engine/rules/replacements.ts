import type { Replacement } from '../../../shared/model/rule/actions.ts';

/** Applies replacements in order, each to all occurrences. Throws a SyntaxError for an invalid regular expression. */
export function replaced(text: string, replacements: readonly Replacement[]): string {
  let changed = text;
  for (const { find, with: replacement, regex, ignoreCase } of replacements) {
    const flags = ignoreCase ? 'gi' : 'g';
    if (regex) changed = changed.replace(new RegExp(find, `${flags}u`), replacement);
    else if (ignoreCase) changed = changed.replace(new RegExp(escaped(find), flags), () => replacement);
    else changed = changed.replaceAll(find, () => replacement);
  }
  return changed;
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}
