import { counted } from '../../../shared/format/counts.ts';
import { importFiles } from '../../session/import/import-files.ts';
import { importFaultLine } from '../../session/import/imported.ts';
import { Output } from '../output.ts';
import { cancelledBySignal } from '../signals.ts';
import type { ImportCommand } from './import-options.ts';

/**
 * Imports files into a session file, with a line on stderr for each fault. Returns the exit code: 1 if anything could
 * not be imported. A signal cancels. Rejects as `importFiles` does.
 */
export async function importSession({ files, session, json }: ImportCommand): Promise<0 | 1> {
  const output = new Output(json);
  const { exchanges, faults } = await importFiles({
    files,
    session,
    onFault: (fault) => {
      output.event({ event: 'fault', ...fault });
      output.fault(importFaultLine(fault));
    },
    onProgress: () => undefined,
    signal: cancelledBySignal('the import'),
  });
  output.event({ event: 'done', session, exchanges, faults });
  const count = counted(exchanges, 'exchange');
  output.say(`${session}: ${count} imported${faults === 0 ? '' : `, ${counted(faults, 'fault')}`}`);
  return faults === 0 ? 0 : 1;
}
