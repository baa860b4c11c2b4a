import path from 'node:path';
import type { Fact } from '../../../shared/insight/fact.ts';
import { importFaultLine } from '../../session/import/imported.ts';
import { openSource } from '../../session/import/open-source.ts';
import { SessionFacts } from '../../session/insight/session-facts.ts';
import { BadArguments } from '../bad-arguments.ts';
import type { Output } from '../output.ts';

export interface SourceFacts {
  facts: readonly Fact[];
  /** Exchanges of a session file that were left out, because their rows are damaged. */
  damaged: number;
  /** A sentence for each thing that could not be read. */
  notes: string[];
}

/**
 * The facts of a session file or HAR. Names what could not be read. Rejects as `openSource` does, and with
 * `BadArguments` if nothing could be imported.
 */
export async function factsOfSource(source: string, output: Output): Promise<SourceFacts> {
  const opened = await openSource(path.resolve(source));
  try {
    const facts = await new SessionFacts(opened.reader).read();
    const { faults } = opened;
    const [first] = faults;
    if (first && facts.length === 0) throw new BadArguments(importFaultLine(first));
    const notes = faults.map(importFaultLine);
    for (const note of notes) output.fault(note);
    return { facts, damaged: opened.reader.damaged.size, notes };
  } finally {
    await opened.close();
  }
}
