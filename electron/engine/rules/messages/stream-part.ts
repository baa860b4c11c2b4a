import { formatLimit } from '../../../../shared/format/sizes.ts';
import type { RawHeaders } from '../../../../shared/model/headers.ts';
import type { StreamCoding } from '../codings.ts';

/** A message of a stream that can be edited. */
export interface EditableMessage {
  payload: Buffer;
  /** The content coding of the payload as fields, for `editBody`. */
  codings: RawHeaders;
  /** The message with another payload, in the stream's framing. */
  encode(payload: Buffer): Buffer;
}

/** A part of a stream, in order. `raw`: its bytes as received; `message`: null for bytes that pass unchanged. */
export interface StreamPart {
  raw: Buffer;
  message: EditableMessage | null;
  /** Why a message passes unchanged, as part of a sentence. */
  problem?: string;
}

/** Cuts one direction of a stream into its messages. */
export interface StreamReader {
  /** The content coding of the whole stream: `read` needs it decoded. Null: there is none. */
  readonly coding: StreamCoding | null;
  read(chunk: Buffer): StreamPart[];
  /** What has arrived of an unfinished message: the stream has ended. */
  rest(): Buffer;
}

/** The largest message that is edited, bytes. Larger ones pass unchanged. */
export const MESSAGE_LIMIT = 1024 * 1024;
export const MESSAGE_TOO_LARGE = `a message passed unchanged: it is larger than ${formatLimit(MESSAGE_LIMIT)}`;
export const NO_CODING: RawHeaders = [];
