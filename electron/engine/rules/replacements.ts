import vm from 'node:vm';
import { formatLimit } from '../../../shared/format/sizes.ts';
import type { Replacement } from '../../../shared/model/rule/actions.ts';
import { type Bound, substituted } from './substitution.ts';

/** The time limit of one regular expression on one text, milliseconds: all other traffic waits meanwhile. */
const TIME_LIMIT = 1000;

/**
 * Texts of this length and longer are not tried again: each would stop traffic again. Half the length that took too
 * long, because a pattern that backtracks takes nearly as long on a text that is a little shorter.
 */
const tooLong = new WeakMap<Replacement, number>();

/** Processor time that a text may take, milliseconds. Patterns that do not backtrack read over 10 MB in a second. */
const allowedTime = (length: number): number => 50 + length / 1000;

/** Processor time of this thread, milliseconds: it does not count while a busy machine runs other programs. */
function busyTime(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

const WORK = new vm.Script('work()');
let context: vm.Context | null = null;

/**
 * Replaces what a regular expression finds. V8 backtracks, some expressions exponentially long on a text that a peer
 * chose; only code run by `node:vm` can be interrupted there. A call costs 0.2 ms for the thread that watches it.
 */
function replacedWithin(text: string, replacement: Replacement, flags: string, bound: Bound): string {
  const { find } = replacement;
  const limit = tooLong.get(replacement);
  if (limit !== undefined && text.length >= limit)
    throw new Error(`${JSON.stringify(find)} takes too long on texts of ${limit} characters or more`);
  context ??= vm.createContext({});
  const from = busyTime();
  try {
    context.work = () => substituted(text, new RegExp(find, flags), replacement.with, bound);
    return WORK.runInContext(context, { timeout: TIME_LIMIT });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error;
    tooLong.set(replacement, Math.ceil(text.length / 2));
    const limited = `ran for more than ${TIME_LIMIT / 1000} s on a text of ${text.length} characters`;
    throw new Error(`${JSON.stringify(find)} ${limited}`);
  } finally {
    if (busyTime() - from > allowedTime(text.length)) tooLong.set(replacement, Math.ceil(text.length / 2));
    context.work = null;
  }
}

/**
 * Applies replacements in order, each to all occurrences. Throws for a regular expression that is invalid or takes too
 * long, and for a result of more than `limit` characters.
 */
export function replaced(text: string, replacements: readonly Replacement[], limit: number): string {
  const bound = { limit, tooLarge: () => new Error(`the result would be larger than ${formatLimit(limit)}`) };
  let changed = text;
  for (const replacement of replacements) {
    const { find, with: by, regex, ignoreCase } = replacement;
    const flags = ignoreCase ? 'gi' : 'g';
    if (regex) changed = replacedWithin(changed, replacement, `${flags}u`, bound);
    else changed = substituted(changed, new RegExp(escaped(find), flags), by.replaceAll('$', '$$$$'), bound);
  }
  return changed;
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}
