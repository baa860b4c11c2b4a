import { counted } from '../../../shared/format/counts.ts';
import { unlessRefused } from '../../failures/write-refused.ts';
import { EXPORT_FORMATS } from '../../session/export/export-formats.ts';
import { learnSecrets } from '../../session/export/learn-secrets.ts';
import { importFaultLine } from '../../session/import/imported.ts';
import { openSource } from '../../session/import/open-source.ts';
import { Output } from '../output.ts';
import { cancelledBySignal } from '../signals.ts';
import { VERSION } from '../version.ts';
import type { ExportCommand } from './export-options.ts';

/**
 * Exports a session. Returns the exit code: 1 if a part of SOURCE could not be read. A signal cancels. Rejects
 * as `openSource` and the format do.
 */
export async function exportSource(command: ExportCommand): Promise<0 | 1> {
  const { source: file, format, filter, out, redact, patterns, json } = command;
  const output = new Output(json);
  const signal = cancelledBySignal('the export');
  const source = await openSource(file, signal);
  try {
    const choice = { query: filter, window: null };
    const redactor = redact ? await learnSecrets(source.reader, patterns, signal) : null;
    const job = { ...choice, path: out, redactor, creator: { name: 'Roundtrip', version: VERSION } };
    const exporting = EXPORT_FORMATS[format](source.reader, job, () => undefined, signal);
    const { exchanges, bytes } = await exporting.catch((error: unknown) => {
      throw unlessRefused('export.failed', out ?? 'standard output', error);
    });
    const { faults } = source;
    for (const fault of faults) output.fault(importFaultLine(fault));
    const redacted = redactor?.counts() ?? [];
    output.event({ event: 'done', format, out, exchanges, bytes, redacted });
    const count = counted(exchanges, 'exchange');
    if (out !== null) output.say(`${out}: ${count}`);
    for (const { place, name, count: times } of redacted) output.note(`redacted ${times} x ${place}: ${name}`);
    return faults.length === 0 ? 0 : 1;
  } finally {
    await source.close();
  }
}
