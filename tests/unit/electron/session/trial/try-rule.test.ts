import fs from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { SessionReader } from '../../../../../electron/session/read/session-reader.ts';
import { tryRule } from '../../../../../electron/session/trial/try-rule.ts';
import { parseRule } from '../../../../../shared/model/rule/rule.ts';
import { TRIAL_HITS, type Trial } from '../../../../../shared/model/rule/trial.ts';
import { exampleExchange } from '../../../../support/example-exchange.ts';
import { closing, record, startRecorder } from '../../../../support/recording.ts';
import { temporaryFolder } from '../../../../support/temporary-folder.ts';

const JSON_FIELDS = ['Content-Type', 'application/json', 'Content-Encoding', 'gzip'];

/** One request with a body and a coded response, one large response, and many plain ones. */
async function sample(folder: string) {
  const file = path.join(folder, 'sample.roundtrip');
  const recorder = await startRecorder(file);
  const request = { method: 'POST', path: '/cart', headers: ['X-A', '1'] };
  record(recorder, exampleExchange({ id: 1, request, response: { headers: JSON_FIELDS } }), {
    request: Buffer.from('a cat'),
    response: gzipSync('{"cat":1}'),
  });
  record(recorder, exampleExchange({ id: 2, request: { path: '/large' } }), { response: Buffer.alloc(100_000, 'x') });
  for (let id = 3; id < 300; id += 1) record(recorder, exampleExchange({ id, request: { path: '/many' } }), {});
  await recorder.close();
  return closing(new SessionReader(file));
}

function ruleOf(when: string, ...actions: object[]) {
  const parsed = parseRule({ name: 'r', when, do: actions });
  if (!parsed.ok) throw new Error(parsed.problem);
  return parsed.rule;
}

const signal = new AbortController().signal;
const sides = ({ hits: [first] }: Trial) => first?.diffs;

it('says what a rule would change of request and response, heads and decoded bodies', async () => {
  using session = await sample(temporaryFolder());
  const changeRequest = { setHeaders: [['X-A', '2']], replaceBody: [{ find: 'cat', with: 'dog' }] };
  const changeResponse = { status: 404, mergeJson: { dog: 2 } };
  const rule = ruleOf(
    'path:/cart',
    { changeRequest },
    { mapTo: { host: 'localhost', port: 3000 } },
    { changeResponse },
  );
  const trial = await tryRule(session.it, rule, signal);
  expect(trial).toMatchObject({ searched: 299, matching: 1, hits: [{ id: 1, method: 'POST', problem: null }] });
  const [request, response] = sides(trial) ?? [];
  expect(request?.before).toEqual(expect.arrayContaining(['X-A: 1', '', 'a cat']));
  expect(request?.after).toEqual(expect.arrayContaining(['X-A: 2', '', 'a dog']));
  expect(request?.after[0]).toMatch(/^POST https?:\/\/localhost:3000\/cart$/);
  expect([response?.before[0], response?.before.at(-1)]).toEqual(['200', '{"cat":1}']);
  expect([response?.after[0], response?.after.at(-1)]).toEqual(['404', '{"cat":1,"dog":2}']);
});

it("shows a rule's answer next to the recorded response", async () => {
  const folder = temporaryFolder();
  using session = await sample(folder);
  fs.writeFileSync(path.join(folder, 'a.txt'), 'mocked');
  const answer = { status: 418, file: path.join(folder, 'a.txt') };
  const [diff] = sides(await tryRule(session.it, ruleOf('path:/cart', { answer }), signal)) ?? [];
  expect(diff?.before.at(-1)).toBe('{"cat":1}');
  expect([diff?.after[0], diff?.after.at(-1)]).toEqual(['418', 'mocked']);
  fs.rmSync(answer.file);
  const missing = await tryRule(session.it, ruleOf('path:/cart', { answer }), signal);
  expect(missing.hits[0]).toMatchObject({ diffs: [], problem: expect.stringContaining('a.txt') });
});

it('names what stays unchanged: a large body, and one that does not fit', async () => {
  using session = await sample(temporaryFolder());
  const merge = { changeResponse: { mergeJson: { a: 1 } } };
  expect((await tryRule(session.it, ruleOf('path:/large', merge), signal)).hits[0]?.problem).toContain('large');
  const text = { changeRequest: { mergeJson: { a: 1 } } };
  expect((await tryRule(session.it, ruleOf('path:/cart', text), signal)).hits[0]?.problem).toContain('not JSON');
});

it('counts all that match, works out the first, and changes nothing with actions that change no message', async () => {
  using session = await sample(temporaryFolder());
  const trial = await tryRule(session.it, ruleOf('path:/many', { delay: { ms: 1 } }), signal);
  expect({ ...trial, hits: trial.hits.length }).toEqual({ searched: 299, matching: 297, hits: TRIAL_HITS });
  expect(trial.hits.every(({ diffs, problem }) => diffs.length === 0 && problem === null)).toBe(true);
});

it('stops, and refuses a query that does not compile', async () => {
  using session = await sample(temporaryFolder());
  const stopping = new AbortController();
  const stopped = tryRule(session.it, ruleOf('', { delay: { ms: 1 } }), stopping.signal);
  stopping.abort();
  await expect(stopped).rejects.toThrow('aborted');
  await expect(tryRule(session.it, { ...ruleOf('', { mark: {} }), when: 'stauts:1' }, signal)).rejects.toThrow(
    'no field stauts',
  );
});
