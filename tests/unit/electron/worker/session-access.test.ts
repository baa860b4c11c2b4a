import path from 'node:path';
import { expect, test } from 'vitest';
import { SessionAccess } from '../../../../electron/worker/session-access.ts';
import { SessionFile } from '../../../../electron/worker/session-file.ts';

/** The file is not a session: its calls reject, after the flush or without one. */
test('what is recorded is written before the newest rows are read, and not again before each page', async () => {
  const file = new SessionFile(path.join(import.meta.dirname, 'none'), '/nowhere.roundtrip', () => undefined);
  let flushes = 0;
  const flush = async () => {
    flushes += 1;
    return null;
  };
  const access = new SessionAccess({ file, flush, id: null });
  await file.close();
  await expect(access.rows({ after: 0, limit: 10 })).rejects.toMatchObject({ failure: { code: 'engine.stopped' } });
  expect(flushes).toBe(0);
  await expect(access.rows({ after: null, limit: 10 })).rejects.toMatchObject({ failure: { code: 'engine.stopped' } });
  expect(flushes).toBe(1);
});
