import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { beforeEach, expect, test } from 'vitest';
import { markExchanges } from '../../../../../electron/session/edit/edit-session.ts';
import { APPLICATION_ID } from '../../../../../electron/session/format/session-schema.ts';
import { exampleExchange } from '../../../../support/example-exchange.ts';
import { record, startRecorder } from '../../../../support/recording.ts';
import { temporaryFolder } from '../../../../support/temporary-folder.ts';
import { pythonWith } from '../../../../support/test-python.ts';

const PAGE = readFileSync(path.resolve('docs/session-file.md'), 'utf8');
const python = pythonWith('sqlite3');
let file: string;

function examples(language: string): string[] {
  return [...PAGE.matchAll(new RegExp(`\`\`\`${language}\n([^]*?)\`\`\``, 'g'))].map(([, code = '']) => code);
}

beforeEach(async () => {
  file = path.join(temporaryFolder(), 'a.roundtrip');
  const recorder = await startRecorder(file);
  record(recorder, exampleExchange({ id: recorder.nextExchangeId() }), { response: Buffer.from('answer') });
  await recorder.close();
});

test('the page names all tables and no other', () => {
  markExchanges(file, [1], { pinned: true, colour: null, note: '' });
  const database = new DatabaseSync(file, { readOnly: true });
  const tables = database.prepare("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name").all();
  database.close();
  const named = [...PAGE.matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name);
  expect(named.sort()).toEqual(tables.map(({ name }) => name));
});

test('the SQL examples of the page', () => {
  const database = new DatabaseSync(file, { readOnly: true });
  const [slowest, hosts, fields] = examples('sql').map((sql) => database.prepare(sql).all());
  expect(slowest).toEqual([{ method: 'GET', host: 'api.test', path: '/v1/items?page=2', status: 200, ttfb: 73 }]);
  expect(hosts).toEqual([{ host: 'api.test', exchanges: 1, bytes: 6 }]);
  expect(fields?.slice(0, 2)).toEqual([{ value: 'Host' }, { value: 'api.test' }]);
  expect(PAGE).toContain(`is ${APPLICATION_ID}`);
  database.close();
});

test.skipIf(python === null)('the Python example of the page', () => {
  const [script = ''] = examples('python');
  expect(execFileSync(python ?? '', ['-c', script, file]).toString()).toBe('answer');
});
