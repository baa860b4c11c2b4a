import { describe, expect, it } from 'vitest';
import { type ClientEvent, nextClient } from '../../../../../electron/commands/services/capture-state.ts';
import type { CheckStep } from '../../../../../shared/model/capture-check.ts';
import type { Client } from '../../../../../shared/model/client.ts';

const STARTING: Client = {
  ...{ id: 1, kind: 'browser', name: 'Chromium', state: 'starting' },
  ...{ was: null, failure: null, warning: null, exitCode: null, checkUrl: 'http://x/' },
};
const saw = (step: CheckStep, detail = ''): ClientEvent => ({ kind: 'sighting', sighting: { step, detail } });
const late: ClientEvent = { kind: 'late', seconds: 30, hint: '' };
const refused = saw('refused-request', 'alert 48');
const ended: ClientEvent = { kind: 'ended', exitCode: 0 };
const after = (...events: ClientEvent[]): [string, string | undefined, string | undefined] => {
  const { state, failure, warning } = events.reduce(nextClient, STARTING);
  return [state, failure?.code, warning?.code];
};

describe('a client that was started', () => {
  it.each<[string, ClientEvent[], ReturnType<typeof after>]>([
    ['nothing yet', [], ['starting', undefined, undefined]],
    ['a request over HTTP', [saw('plain')], ['captured', undefined, undefined]],
    ['one over TLS too', [saw('plain'), saw('secure'), saw('loopback')], ['trusted', undefined, undefined]],
    ['TLS first, for its browser upgraded the page', [saw('secure'), saw('plain')], ['trusted', undefined, undefined]],
    [
      'a refusal',
      [saw('plain'), saw('refused', 'unknown CA'), saw('no-secure')],
      ['failed', 'capture.not-trusted', undefined],
    ],
    ['a page that saw no TLS', [saw('plain'), saw('no-secure')], ['failed', 'capture.not-trusted', undefined]],
    ['nothing in time', [late], ['failed', 'capture.not-seen', undefined]],
    ['no TLS in time', [saw('plain'), late], ['failed', 'capture.not-trusted', undefined]],
    ['all well in time', [saw('plain'), saw('secure'), late], ['trusted', undefined, undefined]],
    [
      'loopback past us',
      [saw('plain'), saw('secure'), saw('no-loopback')],
      ['trusted', undefined, 'capture.loopback-bypassed'],
    ],
    ['trust that came later', [saw('plain'), saw('refused', 'x'), saw('secure')], ['trusted', undefined, undefined]],
    ['late but there', [late, saw('plain'), saw('secure')], ['trusted', undefined, undefined]],
    ['another check', [saw('plain'), saw('refused', 'x'), { kind: 'check-again' }], ['starting', undefined, undefined]],
    ['its end', [saw('secure'), { kind: 'ended', exitCode: 0 }, saw('plain'), late], ['ended', undefined, undefined]],
  ])('after %s', (_name, events, expected) => {
    expect(after(...events)).toEqual(expected);
  });

  it.each<[string, ClientEvent[], ReturnType<typeof after>]>([
    ['its check: what it was given is right', [saw('plain'), saw('secure')], ['ready', undefined, undefined]],
    ['a check that trusts us no more', [saw('plain'), saw('no-secure')], ['failed', 'capture.not-trusted', undefined]],
    ['its own request', [saw('plain'), saw('secure'), saw('request')], ['captured', undefined, undefined]],
    ['one over TLS', [saw('request'), saw('secure-request')], ['trusted', undefined, undefined]],
    ['time, for it may ask for nothing yet', [saw('secure'), saw('request'), late], ['captured', undefined, undefined]],
    ['a request though its check came to nothing', [late, saw('request')], ['captured', undefined, undefined]],
    ['its check after its own request', [saw('secure-request'), saw('secure')], ['trusted', undefined, undefined]],
    ['a refusal', [saw('secure'), saw('request'), refused], ['failed', 'capture.host-refused', undefined]],
    ['a refusal, whatever its check says', [refused, saw('secure')], ['failed', 'capture.host-refused', undefined]],
    [
      'a refusal of one host and not of another',
      [saw('secure-request'), refused],
      ['trusted', undefined, 'capture.host-refused'],
    ],
    ['the other order', [refused, saw('secure-request')], ['trusted', undefined, 'capture.host-refused']],
    ['its end without a request', [saw('secure'), ended], ['ended', undefined, 'capture.none-came']],
    ['its end after one', [saw('request'), ended], ['ended', undefined, undefined]],
    ['what is heard late of a short one', [ended, saw('request')], ['ended', undefined, undefined]],
    ['another check', [saw('secure-request'), { kind: 'check-again' }], ['ready', undefined, undefined]],
  ])('that is a command, after %s', (_name, events, expected) => {
    const { state, failure, warning } = events.reduce(nextClient, { ...STARTING, kind: 'command' });
    expect([state, failure?.code, warning?.code]).toEqual(expected);
  });

  it('that has ended shows its last state', () => {
    const command: Client = { ...STARTING, kind: 'command' };
    expect([saw('secure-request'), ended].reduce(nextClient, command).was).toBe('trusted');
    expect([ended, saw('request'), saw('secure-request')].reduce(nextClient, command)).toMatchObject({
      ...{ state: 'ended', was: 'trusted', exitCode: 0, warning: null },
    });
  });

  it("prefers the handshake's result to the page's", () => {
    const client = [saw('plain'), saw('refused', 'unknown CA, alert 48'), saw('no-secure')].reduce(
      nextClient,
      STARTING,
    );
    expect(client.failure?.message).toContain('alert 48');
  });

  it('gets a hint about the obstacle', () => {
    const client = nextClient(STARTING, { kind: 'late', seconds: 30, hint: 'The policy ProxyMode overrules it.' });
    expect(client.failure?.message).toContain('The policy ProxyMode overrules it.');
  });
});
