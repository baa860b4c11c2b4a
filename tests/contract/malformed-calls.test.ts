import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { dispatch, MESSAGE_LIMIT } from '../../electron/commands/dispatch.ts';
import { ReplySchema } from '../../shared/contract/envelope.ts';
import { REQUESTS, type RequestName } from '../../shared/contract/requests.ts';
import { unreachableHost } from '../support/unreachable-host.ts';

const NAMES = Object.keys(REQUESTS) as RequestName[];

async function replyTo(message: unknown) {
  const { context, reached } = unreachableHost();
  const reply = await dispatch(message, context);
  expect(v.is(ReplySchema, reply)).toBe(true);
  return { reply, reached };
}

async function codeOf(message: unknown): Promise<string> {
  const { reply, reached } = await replyTo(message);
  expect(reached).toEqual([]);
  return reply.ok ? 'answered' : reply.problem.code;
}

/** Wrong for every request, each in its own way. */
const WRONG_INPUTS: [string, unknown][] = [
  ['nothing', undefined],
  ['null', null],
  ['a number', 42],
  ['text', 'text'],
  ['a list', []],
  ['an unknown field', { surprise: 1 }],
  ['fields of the wrong type', { id: '1', after: -1, limit: 1.5, side: 0, stores: 'nss', query: 1, recording: 'yes' }],
];

/** Correct in shape, wrong in one value. */
const NEAR_MISSES: [RequestName, unknown][] = [
  ['exchanges.page', { session: 's', after: 0, limit: 5001 }],
  ['exchanges.page', { session: 's', after: 0, limit: 0 }],
  ['exchanges.page', { session: 's', after: -1, limit: 1 }],
  ['exchanges.page', { session: 's', after: Number.NaN, limit: 1 }],
  ['exchanges.page', { after: 0, limit: 1 }],
  ['exchanges.page', { session: 7, after: 0, limit: 1 }],
  ['exchanges.page', { session: 's'.repeat(65), after: 0, limit: 1 }],
  ['session.clear', {}],
  ['sessions.open', { path: '' }],
  ['sessions.close', { session: null }],
  ['sessions.prunable', { olderThanDays: 1 }],
  ['sessions.prunable', { olderThanDays: -1, overBytes: null }],
  ['sessions.prunable', { olderThanDays: null, overBytes: 1.5 }],
  ['search.start', { session: 's', query: 'x'.repeat(10_001), search: 1 }],
  ['search.start', { session: 's', query: 'body:x', search: -1 }],
  ['rules.check-script', { code: 1 }],
  ['rules.try', { session: 's', rule: { name: 'r', do: [] } }],
  ['rules.try', { session: 's', rule: { name: 'r', do: [{ mark: {} }] }, redact: 1 }],
  ['insight.findings', { session: 1 }],
  ['connections.ends', { session: 'a', after: -1 }],
  ['exchanges.newest', { session: 's', limit: 0 }],
  ['exchanges.rows', { session: 's', limit: 1 }],
  ['exchanges.rows', { session: 's', after: -1, limit: 1 }],
  ['exchanges.rows', { session: 's', after: null, limit: 5001 }],
  ['session.edit', { session: 's', edit: { kind: 'remove', ids: [] } }],
  ['session.edit', { session: 's', edit: { kind: 'burn', ids: [1] } }],
  ['session.edit', { session: 's', edit: { kind: 'mark', ids: [1], mark: { pinned: 1, colour: 'pink', note: '' } } }],
  ['insight.pages', {}],
  ['sessions.compare', { session: 's', other: 't' }],
  ['sessions.compare', { session: 's', other: 't', ignored: { queries: [''], changes: [] } }],
  ['sessions.compare', { session: 's', other: 't', ignored: { queries: [], changes: ['mood'] } }],
  ['exchanges.get', { session: 's', id: 1.5 }],
  ['exchanges.get', { session: 's', id: -1 }],
  ['exchanges.get', { session: 's', id: Number.POSITIVE_INFINITY }],
  ['exchanges.get', { session: 's', id: 1, extra: 1 }],
  ['body.read', { session: 's', id: 1, side: 'both', form: 'raw', offset: 0, length: 1 }],
  ['body.read', { session: 's', id: 1, side: 'request', form: 'cooked', offset: 0, length: 1 }],
  ['body.read', { session: 's', id: 1, side: 'request', form: 'raw', offset: 0, length: 1024 * 1024 + 1 }],
  ['body.read', { session: 's', id: 1, side: 'request', form: 'raw', offset: 0, length: 0 }],
  ['body.save', { session: 's', id: 1, side: 'both', form: 'raw' }],
  ['body.save', { session: 's', id: 1, side: 'request', form: 'cooked' }],
  ['rules.import', { name: 'a'.repeat(256), text: '' }],
  ['rules.import', { name: 'a', text: 1 }],
  ['rules.update', { rules: { version: 2, rules: [] } }],
  ['rules.update', { rules: { version: 1, rules: [{ name: 'a', do: [] }] } }],
  ['rules.update', { rules: { version: 1, rules: [{ name: 'a', do: [{ delay: { ms: -1 } }] }] } }],
  ['breaks.get', { id: -1 }],
  ['breaks.write', { id: 1, offset: 0, data: 'no base64!' }],
  ['breaks.write', { id: 1, offset: 0, data: 'A'.repeat(128 * 1024 + 4) }],
  ['breaks.release', { id: 1, release: { how: 'explode' } }],
  ['breaks.release', { id: 1, release: { how: 'abort', status: 100 } }],
  ['breaks.release', { id: 1, release: { how: 'response', status: 200, headers: [['a b', 'c']], body: 'kept' } }],
  ['breaks.release', { id: 1, release: { how: 'request', method: 'G T', url: '/', headers: [], body: 'kept' } }],
  ['settings.update', { recording: 1 }],
  ['settings.update', { theme: 'pink' }],
  ['settings.update', { upstreamProxy: { enabled: true } }],
  ['settings.update', { passthroughHosts: [1] }],
  ['settings.update', { limits: { headBytes: '1' } }],
  ['settings.update', { __proto__x: {} }],
  ['har.export', { session: 's', query: '', window: { from: 1 }, redact: false }],
  ['har.export', { session: 's', query: '', window: null }],
  ['session.export', { session: 's', query: '', window: null, ids: null, patterns: [], format: 'exe', redact: true }],
  ['session.export', { session: 's', query: '', window: null, ids: [1], patterns: [], format: 'csv', redact: true }],
  ['export.preview', { session: 's', query: '', window: null, ids: null, patterns: ['('], format: 'har' }],
  ['ca.install', { stores: ['cupboard'] }],
  ['ca.uninstall', { stores: [null] }],
  ['ca.uninstall', { stores: ['nss:'] }],
  ['ca.export', { form: 'doc', passphrase: '' }],
  ['ca.import', { files: [], passphrase: '' }],
  ['ca.import', { files: ['no base64!'], passphrase: '' }],
  ['clients.launch', { launcher: 'chrome' }],
  ['clients.launch', { launcher: 'chrome', url: 1 }],
  ['clients.run', { command: '', as: 'command' }],
  ['clients.run', { command: 'npm test', as: 'root' }],
  ['clients.run', { command: 'npm test\nrm -r x', as: 'command' }],
  ['clients.run', { command: 'echo \u001b[2K', as: 'command' }],
  ['clients.run', { command: 'echo \u202etac', as: 'electron' }],
  ['clients.run', { command: 'x'.repeat(4097), as: 'command' }],
  ['commands.forget', { command: 'a\nb', as: 'command' }],
  ['commands.choose', { as: 'root' }],
  ['clients.check', { id: -1 }],
  ['clients.check', {}],
  ['system-proxy.set', { on: 'yes' }],
  ['devices.set', { open: 1 }],
];

describe.each(NAMES)('%s', (name) => {
  it.each(WRONG_INPUTS)('refuses %s as input', async (_what, input) => {
    expect(await codeOf({ call: 7, name, input })).toBe('contract.bad-input');
  });

  it('names the call that it refuses, without internal details', async () => {
    const { reply } = await replyTo({ call: 7, name, input: { surprise: 'hunter2' } });
    expect(reply).toMatchObject({ call: 7, ok: false });
    expect(JSON.stringify(reply)).not.toContain('hunter2');
  });

  it('is not a message without its envelope', async () => {
    expect(await codeOf({ name, input: {} })).toBe('contract.not-a-message');
    expect(await codeOf({ call: '7', name, input: {} })).toBe('contract.not-a-message');
    expect(await codeOf({ call: -7, name, input: {} })).toBe('contract.not-a-message');
    expect(await codeOf({ call: 7, name, input: {}, extra: 1 })).toBe('contract.not-a-message');
    expect(await codeOf([7, name, {}])).toBe('contract.not-a-message');
  });

  it('is too large past the limit', async () => {
    expect(await codeOf({ call: 7, name, input: 'x'.repeat(MESSAGE_LIMIT) })).toBe('contract.too-large');
    expect(await codeOf({ call: 7, name, input: new Array(MESSAGE_LIMIT) })).toBe('contract.too-large');
  });
});

describe('near misses', () => {
  it.each(NEAR_MISSES)('%s refuses %j', async (name, input) => {
    expect(await codeOf({ call: 1, name, input })).toBe('contract.bad-input');
  });
});

describe('foreign messages', () => {
  it.each([undefined, null, 0, true, 'call', [], {}, new Date(0), { call: 1 }, { name: 'app.info' }])(
    'refuses %j',
    async (message) => {
      expect(await codeOf(message)).toBe('contract.not-a-message');
    },
  );

  it.each(['', 'nothing', 'app.info ', 'APP.INFO', '__proto__', 'constructor', 'toString', 'hasOwnProperty'])(
    'knows no request %j',
    async (name) => {
      expect(await codeOf({ call: 1, name, input: {} })).toBe('contract.unknown-name');
    },
  );

  it('survives a message that contains itself', async () => {
    const message: Record<string, unknown> = { call: 1, name: 'app.info' };
    message.input = message;
    expect(await codeOf(message)).toBe('contract.too-large');
  });
});

describe('a handler that fails', () => {
  it('is an internal failure to the window, without a stack', async () => {
    const { reply, reached } = await replyTo({ call: 3, name: 'engine.status', input: {} });
    expect(reached).toEqual(['recording.status']);
    expect(reply).toMatchObject({ call: 3, ok: false, problem: { code: 'contract.internal' } });
    expect(JSON.stringify(reply)).not.toContain('secret-place');
  });
});
