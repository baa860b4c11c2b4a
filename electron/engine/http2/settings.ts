import { CODE, ConnectionFault } from './error-codes.ts';
import { FLAG, FRAME, FRAME_SIZE, frameHead } from './frames.ts';

/** Parameters of SETTINGS (RFC 9113, section 6.5.2; RFC 8441, section 3). */
export const SETTING = {
  headerTableSize: 1,
  enablePush: 2,
  maxConcurrentStreams: 3,
  initialWindowSize: 4,
  maxFrameSize: 5,
  maxHeaderListSize: 6,
  enableConnectProtocol: 8,
} as const;

export const SETTINGS_ACK = frameHead(0, FRAME.settings, FLAG.ack, 0);
export const LARGEST_WINDOW = 0x7fff_ffff;
export const FIRST_WINDOW = 65_535;
const LARGEST_FRAME = 0xff_ffff;
/** Streams that a client opens before the server has announced its limit, as in Chromium and curl. */
const STREAMS_AT_FIRST = 100;

export function settingsFrame(settings: ReadonlyMap<number, number>): Buffer {
  const payload = Buffer.allocUnsafe(settings.size * 6);
  let at = 0;
  for (const [id, value] of settings) {
    payload.writeUInt16BE(id, at);
    payload.writeUInt32BE(value, at + 2);
    at += 6;
  }
  return Buffer.concat([frameHead(payload.length, FRAME.settings, 0, 0), payload]);
}

/** The peer's settings. Sizes in bytes. */
export class PeerSettings {
  /** Whether its first SETTINGS frame has arrived. */
  known = false;
  headerTableSize = 4096;
  maxConcurrentStreams = STREAMS_AT_FIRST;
  initialWindowSize = FIRST_WINDOW;
  maxFrameSize = FRAME_SIZE;
  enableConnectProtocol = false;

  /**
   * Applies a SETTINGS payload that is not an ACK. Throws ConnectionFault for an invalid value (RFC 9113, section
   * 6.5.2).
   */
  take(payload: Buffer): void {
    if (payload.length % 6 !== 0) throw new ConnectionFault(CODE.FRAME_SIZE_ERROR, 'SETTINGS with an invalid length');
    if (!this.known) this.maxConcurrentStreams = Number.POSITIVE_INFINITY;
    this.known = true;
    for (let at = 0; at < payload.length; at += 6) this.#set(payload.readUInt16BE(at), payload.readUInt32BE(at + 2));
  }

  #set(id: number, value: number): void {
    if (id === SETTING.headerTableSize) this.headerTableSize = value;
    else if (id === SETTING.maxConcurrentStreams) this.maxConcurrentStreams = value;
    else if (id === SETTING.initialWindowSize) {
      if (value > LARGEST_WINDOW) throw new ConnectionFault(CODE.FLOW_CONTROL_ERROR, `a window of ${value} bytes`);
      this.initialWindowSize = value;
    } else if (id === SETTING.maxFrameSize) {
      if (value < FRAME_SIZE || value > LARGEST_FRAME) throw refused('SETTINGS_MAX_FRAME_SIZE', value);
      this.maxFrameSize = value;
    } else if (id === SETTING.enablePush && value > 1) {
      throw refused('SETTINGS_ENABLE_PUSH', value);
    } else if (id === SETTING.enableConnectProtocol) {
      if (value > 1) throw refused('SETTINGS_ENABLE_CONNECT_PROTOCOL', value);
      this.enableConnectProtocol = value === 1;
    }
  }
}

function refused(name: string, value: number): ConnectionFault {
  return new ConnectionFault(CODE.PROTOCOL_ERROR, `${name} of ${value}`);
}
