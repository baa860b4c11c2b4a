/**
 * HAR 1.2 (http://www.softwareishard.com/blog/har-12-spec/) as far as we write it, with the extensions that readers
 * know.
 */
export interface HarNameValue {
  name: string;
  value: string;
}

export interface HarCookie extends HarNameValue {
  path?: string;
  domain?: string;
  /** ISO 8601. */
  expires?: string;
  httpOnly?: boolean;
  secure?: boolean;
  sameSite?: string;
}

export interface HarParam {
  name: string;
  value?: string;
  fileName?: string;
  contentType?: string;
}

export interface HarPostData {
  mimeType: string;
  params: HarParam[];
  text: string;
  /** `base64` if the body is not UTF-8; HAR defines no field for it here. */
  _encoding?: 'base64';
  comment?: string;
}

export interface HarContent {
  /** Decoded, bytes. */
  size: number;
  /** Bytes that the content coding saved. */
  compression?: number;
  mimeType: string;
  text?: string;
  encoding?: 'base64';
  comment?: string;
}

interface HarMessage {
  httpVersion: string;
  cookies: HarCookie[];
  headers: HarNameValue[];
  headersSize: number;
  /** On the wire, bytes. */
  bodySize: number;
  _trailers?: HarNameValue[];
}

export interface HarRequest extends HarMessage {
  method: string;
  url: string;
  queryString: HarNameValue[];
  postData?: HarPostData;
}

export interface HarResponse extends HarMessage {
  /** 0 if none arrived. */
  status: number;
  statusText: string;
  content: HarContent;
  redirectURL: string;
  /** Bytes on the wire, head and body. Readers that do not know it add headersSize and bodySize. */
  _transferSize: number;
  /** A failure's code. */
  _error?: string;
}

export interface HarTimings {
  blocked: number;
  dns: number;
  /** Includes `ssl`. */
  connect: number;
  ssl: number;
  send: number;
  wait: number;
  receive: number;
}

/** Only data frames, one entry for each complete message. */
export interface HarWebSocketMessage {
  type: 'send' | 'receive';
  /** Seconds since the Unix epoch. */
  time: number;
  opcode: number;
  /** Base64 for a binary message. */
  data: string;
}

/** Our own: a close, ping or pong frame, whose `data` is base64. */
export interface HarControlMessage extends HarWebSocketMessage {
  /** Its place among all messages. */
  ordinal: number;
}

export interface HarEntry {
  pageref: string;
  startedDateTime: string;
  /** Milliseconds: the sum of the timings without `ssl`, which is part of `connect`. */
  time: number;
  request: HarRequest;
  response: HarResponse;
  cache: Record<never, never>;
  timings: HarTimings;
  serverIPAddress?: string;
  /** The server's port, as Chrome reads it. */
  connection: string;
  /** As WebKit reads it. */
  _serverPort: number;
  _connectionId?: string;
  _resourceType: string;
  /** As Chrome writes them. */
  _webSocketMessages?: HarWebSocketMessage[];
  /** The user's note. */
  comment?: string;
  /** Everything that HAR does not define. */
  _roundtrip: object;
}
