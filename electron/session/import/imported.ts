import type { UserMark } from '../../../shared/model/edits/session-edits.ts';
import type { Exchange } from '../../../shared/model/exchange.ts';
import type { MessageMark } from '../../../shared/model/message-mark.ts';

/** An exchange of an imported file. Its body's `stored` is set when the bytes are written. */
export interface ImportedExchange {
  exchange: Exchange;
  /** Null: the file does not have the body. */
  bodies: { request: Uint8Array | null; response: Uint8Array | null };
  /** WebSocket messages; their places are in `bodies`. */
  marks: MessageMark[];
  /** What the user of the other program noted; absent: nothing. */
  userMark?: UserMark | null;
}

/** What could not be imported, or not completely. */
export interface ImportFault {
  file: string;
  /** The part of the file: `entry 12`; empty for the file as a whole. */
  place: string;
  /** One sentence. */
  message: string;
}

/** The results from one piece of a file. */
export interface ImportedPiece {
  exchanges: ImportedExchange[];
  faults: { place: string; message: string }[];
  /** Bytes of the file that have been read so far. */
  read: number;
}

/** A fault of one part of the file; the other parts are imported. */
export class PartFault extends Error {}

/** A line for people: `a.har: entry 12: It has no request.` */
export function importFaultLine({ file, place, message }: ImportFault): string {
  return [file, place, message].filter((part) => part !== '').join(': ');
}
