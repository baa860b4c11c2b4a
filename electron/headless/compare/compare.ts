import { changeInWords } from '../../../shared/compare/change-words.ts';
import type { ComparedRow, Comparison, Ignored } from '../../../shared/model/compare/comparison.ts';
import { compareFiles } from '../../session/compare/compare-files.ts';
import { importFaultLine } from '../../session/import/imported.ts';
import { openSource } from '../../session/import/open-source.ts';
import { Output } from '../output.ts';
import type { CompareCommand } from './compare-options.ts';

/**
 * Prints the differences between two sources, and names what could not be read. Rejects as `openSource` does, or with
 * `compare.bad-filter`.
 */
export async function compare({ before, after, ignored, json }: CompareCommand): Promise<0> {
  const output = new Output(json);
  const { comparison, damaged, notes } = await compareSources(before, after, ignored);
  const { added, gone, changed, counts, hosts, types } = comparison;
  for (const note of notes) output.fault(note);
  output.event({ added, gone, changed, counts, hosts, types, damaged, notes });
  for (const line of linesOf(comparison)) output.say(line);
  return 0;
}

interface ComparedSources {
  comparison: Comparison;
  /** Exchanges of both that were left out, because their rows are damaged. */
  damaged: number;
  /** A sentence for each thing that could not be read. */
  notes: string[];
}

async function compareSources(before: string, after: string, ignored: Ignored): Promise<ComparedSources> {
  const first = await openSource(before);
  try {
    const second = await openSource(after);
    try {
      const comparison = await compareFiles(first.reader, second.reader, ignored, Number.POSITIVE_INFINITY);
      const damaged = first.reader.damaged.size + second.reader.damaged.size;
      return { comparison, damaged, notes: [...first.faults, ...second.faults].map(importFaultLine) };
    } finally {
      await second.close();
    }
  } finally {
    await first.close();
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
