import { onTestFinished } from 'vitest';
import { importFaultLine } from '../../electron/session/import/imported.ts';
import { openSource } from '../../electron/session/import/open-source.ts';
import { ConnectionCache } from '../../electron/session/read/connection-cache.ts';
import type { BodySide } from '../../shared/model/body-side.ts';

/** The result of importing a file. Closed at the end of the test. */
export async function imported(file: string) {
  const source = await openSource(file);
  onTestFinished(() => source.close());
  const { reader, faults } = source;
  const body = async (id: number, side: BodySide) => {
    const { data } = await reader.readBody({ id, side, form: 'decoded', offset: 0, length: 65_536 });
    return Buffer.from(data, 'base64');
  };
  return {
    exchanges: reader.exchanges(reader.page(0, 1000).rows, new ConnectionCache()),
    faults: faults.map((fault) => importFaultLine({ ...fault, file: '' })),
    text: async (id: number, side: BodySide) => (await body(id, side)).toString(),
    body,
    userMarks: reader.edits().marks,
    messages: (id: number) => reader.messages.page({ id, from: 0, limit: 100 }).messages,
  };
}
