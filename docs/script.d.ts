/** What a script of a rule may define, and what it finds. See scripts.md. */

/** The fields of a message, in their order. Names match whatever their case. */
interface Headers extends Iterable<[name: string, value: string]> {
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
  readonly headers: Headers;
  /**
   * Decoded text; an object is sent as JSON. Null: the script does not get the body (`"body": false`, a stream, over
   * 10 MB, an unknown coding).
   */
  body: string | null | object;
  /** The body, read as JSON. */
  json<T>(): T;
}

interface ResponseMessage {
  status: number;
  readonly headers: Headers;
  body: string | null | object;
  json<T>(): T;
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
  body: string | null | object;
  json<T>(): T;
}

interface Context {
  /** The name of the script's rule. */
  readonly rule: string;
}

/** Called with each request that the rule matches. Change it, or return a response. It may be async. */
declare function onRequest(request: RequestMessage, context: Context): Answer | undefined | Promise<Answer | undefined>;

/**
 * Called with each response, also with one that a rule made up. `request`: as it went upstream, after the changes of all
 * rules and scripts, without its body; changing it has no effect.
 */
declare function onResponse(
  response: ResponseMessage,
  request: RequestMessage,
  context: Context,
): undefined | Promise<undefined>;

/**
 * Called with each message of a stream, in order. Change its body, or return `'drop'` to keep the message from the other
 * side. `request`: as it went upstream, without its body; changing it has no effect.
 */
declare function onMessage(
  message: StreamMessage,
  request: RequestMessage,
  context: Context,
): 'drop' | undefined | Promise<'drop' | undefined>;

/** Shown in the console of the rules dialog. */
declare const console: Record<'log' | 'info' | 'warn' | 'error' | 'debug', (...values: unknown[]) => void>;
