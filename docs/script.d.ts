/**
 * What a script of a rule may define, and what it finds. See scripts.md. `@type {OnRequest}` in a comment above a function gives
 * its parameters their types.
 */

/** The fields of a message, in their order. Names match whatever their case. */
interface MessageHeaders extends Iterable<[name: string, value: string]> {
  /** The first value of this name; null: there is none. */
  get(name: string): string | null;
  getAll(name: string): string[];
  has(name: string): boolean;
  /** Replaces the first field of this name and removes the others; adds one if there was none. */
  set(name: string, value: string): void;
  add(name: string, value: string): void;
  remove(name: string): void;
}

interface RequestMessage {
  method: string;
  /** The whole URL. Another host or port sends the request there. */
  url: string;
  readonly headers: MessageHeaders;
  /**
   * Decoded text; an object is sent as JSON. Null: the script does not get the body (`"body": false`, a stream, over
   * 10 MB, an unknown coding).
   */
  get body(): string | null;
  set body(value: string | null | object);
  /** The body, read as JSON. */
  json(): ReturnType<typeof JSON.parse>;
}

interface ResponseMessage {
  status: number;
  readonly headers: MessageHeaders;
  get body(): string | null;
  set body(value: string | null | object);
  json(): ReturnType<typeof JSON.parse>;
}

/** A response that a script makes up: upstream is not contacted. */
interface Answer {
  /** Default: 200. */
  status?: number;
  headers?: Record<string, string> | [name: string, value: string][];
  body?: string | object;
}

/** One message of a WebSocket, an event stream or a gRPC call. */
interface StreamMessage {
  readonly direction: 'to-server' | 'to-client';
  /**
   * Of a WebSocket message the payload, of an event its data, of a gRPC message the decoded bytes. Bytes that are not
   * UTF-8 are one character (U+0000 to U+00FF) each. Null: it cannot be decoded. An object is sent as JSON.
   */
  get body(): string | null;
  set body(value: string | null | object);
  json(): ReturnType<typeof JSON.parse>;
}

interface Context {
  /** The name of the script's rule. */
  readonly rule: string;
}

/** What a function without `return` returns. */
type Nothing = ReturnType<() => void>;

/** Called with each request that the rule matches. Change it, or return a response. It may be async. */
type OnRequest = (request: RequestMessage, context: Context) => Answer | Nothing | Promise<Answer | Nothing>;

/**
 * Called with each response, also with one that a rule made up. `request`: as it went upstream, after the changes of
 * all rules and scripts, without its body; changing it has no effect.
 */
type OnResponse = (response: ResponseMessage, request: RequestMessage, context: Context) => Nothing | Promise<Nothing>;

/**
 * Called with each message of a stream, in order. Change its body, or return `'drop'` to keep the message from the
 * other side. `request`: as it went upstream, without its body; changing it has no effect.
 */
type OnMessage = (
  message: StreamMessage,
  request: RequestMessage,
  context: Context,
) => 'drop' | Nothing | Promise<'drop' | Nothing>;

/** An editor may know a browser's console too: this one has a part of it. Shown in the rules dialog. */
interface Console {
  log(...values: unknown[]): void;
  info(...values: unknown[]): void;
  warn(...values: unknown[]): void;
  error(...values: unknown[]): void;
  debug(...values: unknown[]): void;
}
declare var console: Console;
