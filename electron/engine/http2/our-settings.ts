import type { Http2Options } from './connection-options.ts';
import { FRAME, wordFrame } from './frames.ts';
import { FIRST_WINDOW, SETTING, settingsFrame } from './settings.ts';

/** The client's connection preface (RFC 9113, section 3.4). */
export const PREFACE = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');

/** The settings that we send the peer: at the start, and when the other side of the exchange changes them. */
export class OurSettings {
  readonly #options: Http2Options;
  #takesProtocol = false;
  #streams: number;
  /** Whether the first SETTINGS are out. */
  #said = false;

  constructor(options: Http2Options) {
    this.#options = options;
    this.#streams = options.streams;
  }

  /** Whether extended CONNECT is announced (RFC 8441, section 3). */
  get takesProtocol(): boolean {
    return this.#takesProtocol;
  }

  /** The preface, SETTINGS and the connection's window, to be sent before anything else; null when they are out. */
  first(): Buffer | null {
    if (this.#said) return null;
    this.#said = true;
    const { server, streamWindow, connectionWindow, headBytes } = this.#options;
    const ours = new Map<number, number>([
      [SETTING.initialWindowSize, streamWindow],
      [SETTING.maxHeaderListSize, headBytes],
    ]);
    if (server) ours.set(SETTING.maxConcurrentStreams, this.#streams);
    else ours.set(SETTING.enablePush, 0);
    if (this.#takesProtocol) ours.set(SETTING.enableConnectProtocol, 1);
    const window = wordFrame(FRAME.windowUpdate, 0, connectionWindow - FIRST_WINDOW);
    return Buffer.concat([server ? Buffer.alloc(0) : PREFACE, settingsFrame(ours), window]);
  }

  /** Announces extended CONNECT. Returns the frame to send now; null if there is none. */
  takeProtocol(): Buffer | null {
    if (this.#takesProtocol) return null;
    this.#takesProtocol = true;
    return this.#said ? settingsFrame(new Map([[SETTING.enableConnectProtocol, 1]])) : null;
  }

  /**
   * Allows the peer `streams` concurrent requests, up to our limit. Returns the frame to send now; null if there is
   * none.
   */
  allowStreams(streams: number): Buffer | null {
    const allowed = Math.min(streams, this.#options.streams);
    if (allowed === this.#streams) return null;
    this.#streams = allowed;
    return this.#said ? settingsFrame(new Map([[SETTING.maxConcurrentStreams, allowed]])) : null;
  }
}
