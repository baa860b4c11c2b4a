import vm from 'node:vm';
import type { Replacement } from '../../../shared/model/rule/actions.ts';

/** The time limit of one regular expression on one text, milliseconds: all other traffic waits meanwhile. */
const TIME_LIMIT = 1000;

/** The length of the shortest text that took longer. Such texts are not tried again: each would block traffic again. */
const tooLong = new WeakMap<Replacement, number>();

const REPLACE = new vm.Script('text.replace(new RegExp(find, flags), replacement)');
let context: vm.Context | null = null;

/**
 * Replaces what a regular expression finds. V8 backtracks, some expressions exponentially long on a text that a peer
 * chose; only code run by `node:vm` can be interrupted there. A call costs 0.2 ms for the thread that watches it.
 */
function replacedWithin(text: string, replacement: Replacement, flags: string): string {
  const { find } = replacement;
  if (text.length < (tooLong.get(replacement) ?? Number.POSITIVE_INFINITY)) {
    context ??= vm.createContext({});
    try {
      Object.assign(context, { text, find, flags, replacement: replacement.with });
      return REPLACE.runInContext(context, { timeout: TIME_LIMIT });
    } catch (error) {
      // Of the context's own class of errors.
      if ((error as NodeJS.ErrnoException).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error;
      tooLong.set(replacement, text.length);
    } finally {
      context.text = '';
    }
  }
  throw new Error(
    `${JSON.stringify(find)} ran for more than ${TIME_LIMIT / 1000} s on a text of ${text.length} characters`,
  );
}

/**
 * Applies replacements in order, each to all occurrences. Throws for a regular expression that is invalid or takes too
 * long.
 */
export function replaced(text: string, replacements: readonly Replacement[]): string {
  let changed = text;
  for (const replacement of replacements) {
    const { find, with: by, regex, ignoreCase } = replacement;
    const flags = ignoreCase ? 'gi' : 'g';
    if (regex) changed = replacedWithin(changed, replacement, `${flags}u`);
    else if (ignoreCase) changed = changed.replace(new RegExp(escaped(find), flags), () => by);
    else changed = changed.replaceAll(find, () => by);
  }
  return changed;
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}
