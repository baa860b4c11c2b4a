import fs from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { importFiles } from '../../../../../electron/session/import/import-files.ts';
import { SessionWriter } from '../../../../../electron/session/write/session-writer.ts';
import { smallDisk } from '../../../../support/small-disk.ts';
import { temporaryFolder } from '../../../../support/temporary-folder.ts';

/** A HAR of that many responses of 20,000 bytes. */
function harOf(entries: number): string {
  const file = path.join(temporaryFolder(), 'big.har');
  const entry = (id: number) => ({
    startedDateTime: new Date(1_790_000_000_000 + id).toISOString(),
    time: 1,
    request: { method: 'GET', url: `http://example.com/${id}`, httpVersion: 'HTTP/1.1', headers: [] },
    response: {
      ...{ status: 200, statusText: 'OK', httpVersion: 'HTTP/1.1', headers: [] },
      content: { size: 20_000, mimeType: 'text/plain', text: `${id}`.padEnd(20_000, 'x') },
    },
    timings: { send: 0, wait: 1, receive: 0 },
  });
  const all = Array.from({ length: entries }, (_, id) => entry(id));
  fs.writeFileSync(file, JSON.stringify({ log: { version: '1.2', creator: {}, entries: all } }));
  return file;
}

function importInto(session: string, har: string) {
  const { signal } = new AbortController();
  return importFiles({ files: [har], session, onFault: () => undefined, onProgress: () => undefined, signal });
}

const refusal = (session: string) => ({
  code: 'import.write-failed',
  message: `The import stopped: its session file ${session} can’t be written: the disk is full.`,
});

test('a disk that is full says so about the import, not about a recording', async () => {
  const session = path.join(temporaryFolder(), 'kept.roundtrip');
  SessionWriter.open(session).close();
  const database = new DatabaseSync(session);
  database.exec(
    "CREATE TRIGGER full BEFORE INSERT ON detail BEGIN SELECT raise(FAIL, 'database or disk is full'); END",
  );
  database.close();
  await expect(importInto(session, harOf(1))).rejects.toMatchObject(refusal(session));
  expect(fs.existsSync(session)).toBe(true);
});

test('nothing stays of an import that fills its disk', async ({ skip }) => {
  const disk = smallDisk(2);
  if (disk === null) return skip('this user may not mount a file system');
  const session = path.join(disk.folder, 'new.roundtrip');
  await expect(importInto(session, harOf(300))).rejects.toMatchObject(refusal(session));
  expect(fs.readdirSync(disk.folder)).toEqual([]);
});
