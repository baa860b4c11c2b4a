import type { BodySide } from './body-side.ts';

/** The opcode of a server-sent event, which has none. */
export const EVENT_OPCODE = -1;

/**
 * A message that passed, as it is marked on its way: the place of its bytes in the body that carries it. Its content is
 * read from the body on request: marking costs the same regardless of the message's size.
 */
export interface MessageMark {
  /** By arrival of its last byte, over both sides. */
  ordinal: number;
  /** `request`: from the client. */
  side: BodySide;
  /** Milliseconds since the Unix epoch. */
  at: number;
  /** RFC 6455, section 5.2, of the first frame; or EVENT_OPCODE. */
  opcode: number;
  /** Bytes of the body, framing included, from the first frame's head to the end of the last one's payload. */
  start: number;
  stop: number;
  /** Payload bytes on the wire. */
  size: number;
  /** RSV1: a message of permessage-deflate (RFC 7692). */
  compressed: boolean;
  /** For a close frame that has one. */
  closeCode: number | null;
}

export type FoundMessage = Pick<MessageMark, 'opcode' | 'start' | 'stop' | 'size' | 'compressed' | 'closeCode'>;

/** Looks for messages in the bytes of one side as they pass, and keeps no bytes. */
export interface MessageScanner {
  scan(bytes: Uint8Array, found: (message: FoundMessage) => void): void;
}
