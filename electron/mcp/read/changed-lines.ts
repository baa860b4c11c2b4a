import { diffLines } from '../../../shared/compare/diff-lines.ts';
import type { TrialDiff } from '../../../shared/model/rule/trial.ts';

/** Characters of one line, and of all lines of a message. */
const LINE = 300;
const MESSAGE = 4000;

/** The changed lines of one message. */
export interface ChangedLines {
  side: TrialDiff['side'];
  /** Each with `-` (as recorded) or `+` (after the change) before it. */
  lines: string[];
  /** Lines that were left out. */
  left: number;
}

export function changedLines({ side, before, after }: TrialDiff): ChangedLines {
  const changed = diffLines(before, after).filter(({ kind }) => kind !== 'same');
  const lines: string[] = [];
  let length = 0;
  for (const { kind, text } of changed) {
    const line = `${kind === 'removed' ? '-' : '+'}${text.length > LINE ? `${text.slice(0, LINE)}...` : text}`;
    length += line.length;
    if (length > MESSAGE) break;
    lines.push(line);
  }
  return { side, lines, left: changed.length - lines.length };
}
