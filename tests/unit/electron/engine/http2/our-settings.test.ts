import { describe, expect, it } from 'vitest';
import { OurSettings, PREFACE } from '../../../../../electron/engine/http2/our-settings.ts';
import { SETTING, settingsFrame } from '../../../../../electron/engine/http2/settings.ts';
import { OPTIONS } from '../../../../support/http2-peer.ts';

const server = (): OurSettings => new OurSettings({ ...OPTIONS, server: true, streams: 100 });
const frame = (id: number, value: number): Buffer => settingsFrame(new Map([[id, value]]));
/** An id and its value as they stand in a SETTINGS frame. */
const pair = (id: number, value: number): Buffer => frame(id, value).subarray(9);

describe('our SETTINGS', () => {
  it('begin with the preface on the client side only, and are sent once', () => {
    const client = new OurSettings({ ...OPTIONS, server: false });
    expect(client.first()?.subarray(0, PREFACE.length)).toEqual(PREFACE);
    expect(client.first()).toBeNull();
    expect(server().first()?.includes(PREFACE)).toBe(false);
  });

  it('carry what was allowed before they were sent', () => {
    const ours = server();
    expect([ours.allowStreams(7), ours.takeProtocol()]).toEqual([null, null]);
    const first = ours.first();
    expect(first?.includes(pair(SETTING.maxConcurrentStreams, 7))).toBe(true);
    expect(first?.includes(pair(SETTING.enableConnectProtocol, 1))).toBe(true);
  });

  it('change later in a separate frame, each change once', () => {
    const ours = server();
    ours.first();
    expect(ours.allowStreams(7)).toEqual(frame(SETTING.maxConcurrentStreams, 7));
    expect(ours.allowStreams(7)).toBeNull();
    expect(ours.takeProtocol()).toEqual(frame(SETTING.enableConnectProtocol, 1));
    expect(ours.takeProtocol()).toBeNull();
  });

  it('allow no more requests at once than our own limit', () => {
    const ours = server();
    ours.first();
    expect(ours.allowStreams(Number.POSITIVE_INFINITY)).toBeNull();
    expect(ours.allowStreams(7)).toEqual(frame(SETTING.maxConcurrentStreams, 7));
    expect(ours.allowStreams(5000)).toEqual(frame(SETTING.maxConcurrentStreams, 100));
  });
});
