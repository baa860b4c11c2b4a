import fs from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { exportSession } from '../../../../../electron/session/export/session-export.ts';
import { SessionReader } from '../../../../../electron/session/read/session-reader.ts';
import { tryRule } from '../../../../../electron/session/trial/try-rule.ts';
import type { RecordedSide } from '../../../../../shared/model/body-side.ts';
import { parseRule } from '../../../../../shared/model/rule/rule.ts';
import { TRIAL_HITS, type Trial } from '../../../../../shared/model/rule/trial.ts';
import { exampleExchange } from '../../../../support/example-exchange.ts';
import { closing, record, startRecorder } from '../../../../support/recording.ts';
import { scriptHost } from '../../../../support/script-host.ts';
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
  const secret = { path: '/secret?token=hunter2', headers: ['Authorization', 'Bearer hunter2'] };
  record(recorder, exampleExchange({ id: 300, request: secret, response: { headers: JSON_FIELDS } }), {
    response: gzipSync('{"password":"hunter2"}'),
  });
  const events = { headers: ['Content-Type', 'text/event-stream'] };
  record(recorder, exampleExchange({ id: 301, request: { path: '/events' }, response: events }), {
    response: Buffer.from('data: 1\n\n'),
  });
  for (let id = 3; id < 300; id += 1) record(recorder, exampleExchange({ id, request: { path: '/many' } }), {});
  await recorder.close();
  return closing(new SessionReader(file));
}

function ruleOf(when: string, ...actions: object[]) {
  const parsed = parseRule({ name: 'r', when, do: actions });
  if (!parsed.ok) throw new Error(parsed.problem);
  return parsed.rule;
}

const options = { run: scriptHost().run, redact: false, signal: new AbortController().signal };
const sides = ({ hits: [first] }: Trial) => first?.diffs;

it.each([
  ['header:"x-a: 1"', { changeRequest: { method: 'PUT' } }, [1]],
  ['header:content-encoding', { changeResponse: { status: 500 } }, [1, 300]],
  // A response's field, and the rule acts before that.
  ['header:content-encoding', { answer: {} }, []],
  ['-header:x-a path:/cart', { answer: {} }, []],
])('tries %s with the fields that %j knows', async (when, action, ids) => {
  using session = await sample(temporaryFolder());
  const trial = await tryRule(session.it, ruleOf(when, action), options);
  expect([trial.matching, trial.hits.map(({ id }) => id)]).toEqual([ids.length, ids]);
});

it('shows what a rule would change in request and response, heads and decoded bodies', async () => {
  using session = await sample(temporaryFolder());
  const changeRequest = { setHeaders: [['X-A', '2']], replaceBody: [{ find: 'cat', with: 'dog' }] };
  const changeResponse = { status: 404, mergeJson: { dog: 2 } };
  const rule = ruleOf(
    'path:/cart',
    { changeRequest },
    { mapTo: { host: 'localhost', port: 3000 } },
    { changeResponse },
  );
  const trial = await tryRule(session.it, rule, options);
  expect(trial).toMatchObject({ searched: 301, matching: 1, hits: [{ id: 1, method: 'POST', problem: null }] });
  const [request, response] = sides(trial) ?? [];
  expect(request?.before).toEqual(expect.arrayContaining(['X-A: 1', '', 'a cat']));
  expect(request?.after).toEqual(expect.arrayContaining(['X-A: 2', '', 'a dog']));
  expect(request?.after[0]).toMatch(/^POST https?:\/\/localhost:3000\/cart$/);
  expect([response?.before[0], ...(response?.before.slice(-3) ?? [])]).toEqual(['200', '{', '  "cat": 1', '}']);
  expect([response?.after[0], ...(response?.after.slice(-4) ?? [])]).toEqual([
    '404',
    '{',
    '  "cat": 1,',
    '  "dog": 2',
    '}',
  ]);
});

/** An exchange that rules had touched: other bodies and trailers were sent than arrived. */
async function touchedSample(folder: string) {
  const file = path.join(folder, 'touched.roundtrip');
  const recorder = await startRecorder(file);
  const plain = exampleExchange({ id: 1, request: { method: 'POST' }, response: { headers: [] } });
  const { request, response } = plain;
  if (response === null) throw new Error('no response');
  const own = () => ({ size: 0, stored: 0, complete: true, own: true });
  const exchange = {
    ...plain,
    rules: [{ index: 0, name: 'cats', actions: ['changeRequest', 'changeResponse'], problem: null }],
    sent: { ...request, body: own(), trailers: ['x-sum', '2'] },
    received: { ...response, body: own(), status: 201, trailers: ['x-sum', '1'] },
  };
  const bodies = { request: 'a cat', sent: 'a dog', received: 'the cat', response: 'the dog' };
  record(
    recorder,
    exchange,
    Object.fromEntries(Object.entries(bodies).map(([side, text]) => [side, Buffer.from(text)])),
  );
  await recorder.close();
  return { file, bodies };
}

it('starts from the received message if rules had changed it', async () => {
  using session = closing(new SessionReader((await touchedSample(temporaryFolder())).file));
  const change = { replaceBody: [{ find: 'cat', with: 'fox' }], setTrailers: [['x-sum', '3']] };
  const trial = await tryRule(session.it, ruleOf('', { changeRequest: change }, { changeResponse: change }), options);
  const [request, response] = sides(trial) ?? [];
  expect([request?.before.slice(-2), request?.after.slice(-2)]).toEqual([
    ['', 'a cat'],
    ['a fox', 'x-sum: 3 (trailer)'],
  ]);
  expect([response?.before[0], response?.before.slice(-2)]).toEqual(['201', ['the cat', 'x-sum: 1 (trailer)']]);
  expect(response?.after.slice(-2)).toEqual(['the fox', 'x-sum: 3 (trailer)']);
  const answered = await tryRule(session.it, ruleOf('', { answer: { body: 'mocked' } }), options);
  expect(sides(answered)?.[0]?.before.at(-1)).toBe('the cat');
});

it('says that a message without a body gets no trailers', async () => {
  using session = await sample(temporaryFolder());
  const rule = ruleOf('path:/large', { changeRequest: { setTrailers: [['x-sum', '3']] } });
  expect((await tryRule(session.it, rule, options)).hits[0]?.problem).toContain('they follow a body');
});

it('keeps both versions of a body in an exported session', async () => {
  const folder = temporaryFolder();
  const { file, bodies } = await touchedSample(folder);
  using session = closing(new SessionReader(file));
  const copy = path.join(folder, 'copy.roundtrip');
  const job = { path: copy, redactor: null, query: '', window: null, creator: { name: 'Roundtrip', version: '1' } };
  await exportSession(session.it, job, () => {}, options.signal);
  using copied = closing(new SessionReader(copy));
  const text = (side: RecordedSide) => Buffer.concat([...copied.it.bodyPieces(1, side)]).toString();
  expect(Object.fromEntries((Object.keys(bodies) as RecordedSide[]).map((side) => [side, text(side)]))).toEqual(bodies);
  expect(copied.it.get(1).received?.body).toEqual({ size: 7, stored: 7, complete: true, own: true });
});

it("shows a rule's answer next to the recorded response", async () => {
  const folder = temporaryFolder();
  using session = await sample(folder);
  fs.writeFileSync(path.join(folder, 'a.txt'), 'mocked');
  const answer = { status: 418, file: path.join(folder, 'a.txt') };
  const [diff] = sides(await tryRule(session.it, ruleOf('path:/cart', { answer }), options)) ?? [];
  expect(diff?.before.at(-1)).toBe('{"cat":1}');
  expect([diff?.after[0], diff?.after.at(-1)]).toEqual(['418', 'mocked']);
  fs.rmSync(answer.file);
  const missing = await tryRule(session.it, ruleOf('path:/cart', { answer }), options);
  expect(missing.hits[0]).toMatchObject({ diffs: [], problem: expect.stringContaining('a.txt') });
});

it('names what stays unchanged: a large body, and one that does not fit', async () => {
  using session = await sample(temporaryFolder());
  const replace = { changeResponse: { replaceBody: [{ find: 'x', with: 'y' }] } };
  expect((await tryRule(session.it, ruleOf('path:/large', replace), options)).hits[0]).toMatchObject({
    ...{ diffs: [], problem: 'the change to the body is not shown: it is larger than 8 KB' },
  });
  const text = { changeRequest: { mergeJson: { a: 1 } } };
  expect((await tryRule(session.it, ruleOf('path:/cart', text), options)).hits[0]?.problem).toContain('not JSON');
});

it('shows the changes that apply next to one that does not', async () => {
  using session = await sample(temporaryFolder());
  const rule = ruleOf(
    'path:/cart',
    { changeRequest: { replaceBody: [{ find: 'cat', with: 'dog' }] } },
    { changeRequest: { mergeJson: { a: 1 } } },
    { changeResponse: { patchJson: [{ op: 'remove', path: '/none' }] } },
    { changeResponse: { setHeaders: [['Content-Length', '1']], replaceBody: [{ find: 'cat', with: 'dog' }] } },
    { mapTo: { host: 'localhost', replacePath: [{ find: '/cart', with: '/x' }] } },
  );
  const { hits } = await tryRule(session.it, rule, options);
  const [request, response] = hits[0]?.diffs ?? [];
  expect(request?.after[0]).toMatch(/^POST https?:\/\/localhost/);
  expect(request?.after.at(-1)).toBe('a dog');
  expect(response?.after).toContain('  "dog": 1');
  expect(hits[0]?.problem).toBe(
    'the body is unchanged: it is not JSON; Content-Length is unchanged: it follows from the body; ' +
      'the body is unchanged: the body has no "none" there',
  );
});

describe('scripts', () => {
  const script = (code: string) => ({ script: { code } });

  it('change the request and the response, keep their variables, and write to the console', async () => {
    using session = await sample(temporaryFolder());
    const code = `function onRequest(request) {
  request.headers.set('X-A', request.body);
  request.body = 'a dog';
}
function onResponse(response, request) {
  console.log('saw', request.headers.get('x-a'));
  response.body = { ...response.json(), seen: request.headers.get('x-a') };
}`;
    const replace = { changeRequest: { replaceBody: [{ find: 'cat', with: 'bird' }] } };
    const [hit] = (await tryRule(session.it, ruleOf('path:/cart', replace, script(code)), options)).hits;
    expect(hit).toMatchObject({ problem: null, console: [{ level: 'log', text: 'saw a bird' }] });
    const [request, response] = hit?.diffs ?? [];
    expect(request?.before).toEqual(expect.arrayContaining(['X-A: 1', 'a cat']));
    expect(request?.after).toEqual(expect.arrayContaining(['X-A: a bird', 'a dog']));
    expect(response?.after.slice(-4)).toEqual(['{', '  "cat": 1,', '  "seen": "a bird"', '}']);
  });

  it('answer in place of upstream', async () => {
    using session = await sample(temporaryFolder());
    const code = `function onRequest() { return { status: 418, body: "tea" }; }
function onResponse(response) { response.body += ' with milk'; }`;
    const [diff] = sides(await tryRule(session.it, ruleOf('path:/cart', script(code)), options)) ?? [];
    expect([diff?.side, diff?.after[0], diff?.after.at(-1)]).toEqual(['response', '418', 'tea with milk']);
  });

  it('change a large body, of which only the fields are shown', async () => {
    using session = await sample(temporaryFolder());
    const code = "function onResponse(r) { r.headers.set('x-size', String(r.body.length)); r.body += 'y'; }";
    const [hit] = (await tryRule(session.it, ruleOf('path:/large', script(code)), options)).hits;
    expect(hit?.diffs[0]?.after).toContain('x-size: 100000');
    expect(hit?.problem).toBe('the change to the body is not shown: it is larger than 8 KB');
  });

  it.each([
    ['throws', 'function onRequest() {\n  null.a;\n}', 'the script failed: line 2'],
    ['loops', 'function onRequest() { for (;;); }', 'it ran for more than 1 s'],
    ['cannot be parsed', 'function onRequest( {', 'the script failed'],
    ['is in a file that is not there', null, 'none.js cannot be read'],
  ])('name why one that %s changes nothing', async (_what, code, problem) => {
    using session = await sample(temporaryFolder());
    const given = code === null ? { script: { file: '/nowhere/none.js' } } : script(code);
    const [hit] = (await tryRule(session.it, ruleOf('path:/cart', given), options)).hits;
    expect(hit).toMatchObject({ diffs: [], problem: expect.stringContaining(problem) });
  });

  it('do not get the messages of streams, which is reported', async () => {
    using session = await sample(temporaryFolder());
    const rule = ruleOf('path:/events', script('function onMessage(message) { message.body = "x"; }'));
    expect((await tryRule(session.it, rule, options)).hits[0]?.problem).toContain('onMessage was not tried');
  });

  it('find no secret where secrets are removed before', async () => {
    using session = await sample(temporaryFolder());
    const code = `function onRequest(r) { r.headers.set('x-copy', [...r.headers.get('authorization')].join('-')); }
function onResponse(r) { r.headers.set('x-copy', [...r.body].join('-')); }`;
    const rule = ruleOf('path:/secret', script(code));
    const redacted = JSON.stringify(await tryRule(session.it, rule, { ...options, redact: true }));
    expect(redacted).toContain('R-E-D-A-C-T-E-D');
    expect(redacted.replaceAll('-', '')).not.toContain('hunter2');
    expect(JSON.stringify(await tryRule(session.it, rule, options))).toContain('h-u-n-t-e-r');
  });
});

it('counts all that match, works out the first, and changes nothing with actions that change no message', async () => {
  using session = await sample(temporaryFolder());
  const trial = await tryRule(session.it, ruleOf('path:/many', { delay: { ms: 1 } }), options);
  expect({ ...trial, hits: trial.hits.length }).toEqual({ searched: 301, matching: 297, hits: TRIAL_HITS });
  expect(trial.hits.every(({ diffs, problem }) => diffs.length === 0 && problem === null)).toBe(true);
});

it('stops, and refuses a query that does not compile', async () => {
  using session = await sample(temporaryFolder());
  const stopping = new AbortController();
  const { signal: stop } = stopping;
  const stopped = tryRule(session.it, ruleOf('', { delay: { ms: 1 } }), { ...options, signal: stop });
  stopping.abort();
  await expect(stopped).rejects.toThrow('aborted');
  await expect(tryRule(session.it, { ...ruleOf('', { mark: {} }), when: 'stauts:1' }, options)).rejects.toThrow(
    'no field stauts',
  );
});
