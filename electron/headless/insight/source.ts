import path from 'node:path';
import type { Fact } from '../../../shared/insight/fact.ts';
import { importFaultLine } from '../../session/import/imported.ts';
import { openSource } from '../../session/import/open-source.ts';
import { SessionFacts } from '../../session/insight/session-facts.ts';
import { BadArguments } from '../bad-arguments.ts';
import type { Output } from '../output.ts';

/**
 * The facts of a session file or HAR. Names what could not be imported. Rejects as `openSource` does, and with
 * `BadArguments` if nothing could be imported.
 */
export async function factsOfSource(source: string, output: Output): Promise<readonly Fact[]> {
  const opened = await openSource(path.resolve(source));
  try {
    const facts = await new SessionFacts(opened.reader).read();
    const { faults } = opened;
    const [first] = faults;
    if (first && facts.length === 0) throw new BadArguments(importFaultLine(first));
    for (const fault of faults) output.fault(importFaultLine(fault));
    return facts;
  } finally {
    await opened.close();
  }
}
