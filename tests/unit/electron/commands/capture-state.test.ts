import { describe, expect, it } from 'vitest';
import { type ClientEvent, nextClient } from '../../../../electron/commands/capture-state.ts';
import type { CheckStep } from '../../../../shared/model/capture-check.ts';
import type { Client } from '../../../../shared/model/client.ts';

const STARTING: Client = {
  ...{ id: 1, kind: 'browser', name: 'Chromium', state: 'starting' },
  ...{ failure: null, warning: null, exitCode: null, checkUrl: 'http://x/' },
};
const saw = (step: CheckStep, detail = ''): ClientEvent => ({ kind: 'sighting', sighting: { step, detail } });
const late: ClientEvent = { kind: 'late', seconds: 30, hint: '' };
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

  it('keeps what it said in its handshake over what its page saw', () => {
    const client = [saw('plain'), saw('refused', 'unknown CA, alert 48'), saw('no-secure')].reduce(
      nextClient,
      STARTING,
    );
    expect(client.failure?.message).toContain('alert 48');
  });

  it('is told what may be in the way', () => {
    const client = nextClient(STARTING, { kind: 'late', seconds: 30, hint: 'The policy ProxyMode overrules it.' });
    expect(client.failure?.message).toContain('The policy ProxyMode overrules it.');
  });
});
