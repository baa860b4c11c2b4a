import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { readPacText } from '../../../../electron/commands/services/read-pac.ts';
import { fileBody } from '../../../../electron/commands/services/replay/written-body.ts';
import { checkSettings } from '../../../../electron/commands/services/settings-rules.ts';
import type { RequestHead } from '../../../../electron/engine/http/message.ts';
import { localResponse } from '../../../../electron/engine/rules/actions/answer.ts';
import { editBody } from '../../../../electron/engine/rules/body-changes.ts';
import { loadScript } from '../../../../electron/engine/rules/scripts/loaded-script.ts';
import { readClientCertificate } from '../../../../electron/engine/upstream/trust/client-certificate.ts';
import { upstreamTlsOptions } from '../../../../electron/engine/upstream/trust/server-trust.ts';
import { refuseLockedHere } from '../../../../electron/files/locked-here.ts';
import { readUserText } from '../../../../electron/files/user-text.ts';
import { SessionReader } from '../../../../electron/session/read/session-reader.ts';
import type { Answer } from '../../../../shared/model/rule/actions.ts';
import { DEFAULT_SETTINGS } from '../../../../shared/model/settings.ts';
import { exampleExchange } from '../../../support/example-exchange.ts';
import { record, startRecorder } from '../../../support/recording.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

/** Rejects if the body can't be read. */
async function answered(answer: Answer, where: string): Promise<string> {
  const { head, body } = await localResponse(answer, { ...HEAD, path: where });
  let text = '';
  for await (const piece of body ?? []) text += String(piece);
  if (head.status === 404) throw new Error(text);
  return text;
}

/** Throws what says why a file is not used. */
function said(problems: readonly (string | null)[]): void {
  for (const problem of problems) if (problem !== null) throw new Error(problem);
}

const HEAD: RequestHead = {
  ...{ method: 'GET', scheme: 'http', authority: 'a.test', host: 'a.test', port: 80, path: '/', version: 'HTTP/1.1' },
  ...{ headers: [], framing: { kind: 'none' }, wire: null, size: 0, upgrade: false, keepAlive: true },
};
const ANSWER: Answer = { status: 200, headers: [], cors: false };

/** Every way in which a file that a user names is read while a session is recorded. */
const READERS: [string, (file: string) => unknown][] = [
  ['the file of a rule that answers', (file) => answered({ ...ANSWER, file }, '/')],
  [
    'the folder of a rule that answers',
    (file) => answered({ ...ANSWER, folder: path.dirname(file) }, `/${path.basename(file)}`),
  ],
  [
    'the body of a rule that edits',
    async (file) => said((await editBody(Buffer.from('a'), [], [{ bodyFile: file }])).problems),
  ],
  ['the script of a rule', (file) => said([loadScript({ file, body: false }).problem])],
  ['a text that the user wrote', (file) => readUserText(file)],
  ['the body of a request to send', (file) => fileBody(file)],
  ['a PAC file', (file) => readPacText(file)],
  ['a CA file, as a setting', (file) => checkSettings({ ...DEFAULT_SETTINGS, upstreamCaFiles: [file] })],
  ['a CA file, as the engine reads it', (file) => upstreamTlsOptions({ ...DEFAULT_SETTINGS, upstreamCaFiles: [file] })],
  ['a client certificate', (file) => readClientCertificate(file)],
];

/** A session that this process records and reads, and the files that have its locks. */
async function recording() {
  const sessions = path.join(temporaryFolder(), 'sessions');
  fs.mkdirSync(sessions);
  fs.mkdirSync(`${sessions}.in-use`);
  const file = path.join(sessions, 'a.roundtrip');
  const recorder = await startRecorder(file);
  record(recorder, exampleExchange({ id: recorder.nextExchangeId() }));
  await recorder.flush();
  const reader = new SessionReader(file);
  const locked = [file, `${file}-shm`, `${file}-lock`, path.join(`${sessions}.in-use`, 'a.roundtrip')];
  return { file, locked, end: () => recorder.close().then(() => reader.close()) };
}

/** By file, how many locks other processes find on it. */
function locksOn(files: readonly string[]): number[] {
  const all = fs.readFileSync('/proc/locks', 'utf8');
  return files.map((file) => all.match(new RegExp(`:${fs.statSync(file).ino} .*`, 'g'))?.length ?? 0);
}

/** Whether another process could record into the session. */
function canBeTaken(file: string): boolean {
  const script = `new (require('node:sqlite').DatabaseSync)(${JSON.stringify(`${file}-lock`)}).exec('BEGIN EXCLUSIVE')`;
  return spawnSync(process.execPath, ['-e', script]).status === 0;
}

describe.skipIf(!fs.existsSync('/proc/locks'))(
  'a session that is recorded stays locked when its files are named as',
  () => {
    test.each(READERS)('%s', async (_what, read) => {
      const { file, locked, end } = await recording();
      const before = locksOn(locked);
      expect(before.every((locks) => locks > 0)).toBe(true);
      for (const each of locked) await expect(async () => read(each)).rejects.toThrow(/name a copy of it|no such file/);
      expect(locksOn(locked)).toEqual(before);
      expect(canBeTaken(file)).toBe(false);
      await end();
    });

    test('a link, or another name of the same file', async () => {
      const { file, locked, end } = await recording();
      const before = locksOn(locked);
      const [link, name] = [`${file}.link`, `${file}.name`];
      fs.symlinkSync(`${file}-lock`, link);
      fs.linkSync(`${file}-lock`, name);
      for (const each of [link, name]) expect(() => readUserText(each)).toThrow('name a copy of it');
      expect(locksOn(locked)).toEqual(before);
      await end();
    });
  },
);

describe('is read as any other file', () => {
  test('the session of another process, or one that nobody has open', async () => {
    const { file, end } = await recording();
    await end();
    fs.writeFileSync(`${file}-shm`, '');
    expect(readUserText(file)).toContain('SQLite format 3');
  });

  test('a file with several names that is being read', () => {
    const file = path.join(temporaryFolder(), 'a');
    fs.writeFileSync(file, 'text');
    fs.linkSync(file, `${file}-2`);
    const descriptor = fs.openSync(file, 'r');
    expect(readUserText(file)).toBe('text');
    fs.closeSync(descriptor);
  });

  test('a file that is not there, which opening it reports', () => {
    expect(() => refuseLockedHere(path.join(temporaryFolder(), 'none'))).not.toThrow();
  });
});
