import path from 'node:path';
import { changeInWords } from '../../../shared/compare/change-words.ts';
import type { ComparedRow, Comparison } from '../../../shared/model/compare/comparison.ts';
import { SessionFile } from '../../worker/session-file.ts';
import { Output } from '../output.ts';
import type { CompareCommand } from './compare-options.ts';

/** Prints what differs between two sessions. Rejects with `session.open-failed` or `compare.bad-filter`. */
export async function compare({ before, after, ignored, json }: CompareCommand): Promise<0> {
  const output = new Output(json);
  const file = new SessionFile(__dirname, path.resolve(before), (failure) => output.failure(failure));
  try {
    const input = { session: null, other: path.resolve(after), otherSession: null, ignored };
    const comparison = await file.call('compare', { ...input, limit: Number.MAX_SAFE_INTEGER });
    const { added, gone, changed, counts, hosts, types } = comparison;
    output.event({ added, gone, changed, counts, hosts, types });
    for (const line of linesOf(comparison)) output.say(line);
    return 0;
  } finally {
    await file.close();
  }
}

/** One line for each exchange that differs, then the counts. */
function linesOf({ added, gone, changed, counts }: Comparison): string[] {
  return [
    ...gone.map((row) => `- ${nameOf(row)}`),
    ...added.map((row) => `+ ${nameOf(row)}`),
    ...changed.map(
      ({ after, changes }) => `~ ${nameOf(after)}: ${changes.map((change) => changeInWords(change, '->')).join(', ')}`,
    ),
    `${counts.added} added, ${counts.gone} gone, ${counts.changed} changed, ${counts.unchanged} unchanged`,
  ];
}

function nameOf({ method, url }: ComparedRow): string {
  return `${method} ${url}`;
}
