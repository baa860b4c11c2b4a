/** Error codes of RST_STREAM and GOAWAY (RFC 9113, section 7). */
export const CODE = {
  NO_ERROR: 0,
  PROTOCOL_ERROR: 1,
  INTERNAL_ERROR: 2,
  FLOW_CONTROL_ERROR: 3,
  SETTINGS_TIMEOUT: 4,
  STREAM_CLOSED: 5,
  FRAME_SIZE_ERROR: 6,
  REFUSED_STREAM: 7,
  CANCEL: 8,
  COMPRESSION_ERROR: 9,
  CONNECT_ERROR: 10,
  ENHANCE_YOUR_CALM: 11,
  INADEQUATE_SECURITY: 12,
  HTTP_1_1_REQUIRED: 13,
} as const;

const NAMES = new Map<number, string>(Object.entries(CODE).map(([name, code]) => [code, name]));

/** The code's name, such as `PROTOCOL_ERROR`; `code N` for an unknown code. */
export function codeName(code: number): string {
  return NAMES.get(code) ?? `code ${code}`;
}

/** A protocol violation that ends the connection (RFC 9113, section 5.4.1). The message is part of a sentence. */
export class ConnectionFault extends Error {
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

/** A protocol violation that resets one stream; the connection stays open (RFC 9113, section 5.4.2). */
export class StreamFault extends Error {
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}
