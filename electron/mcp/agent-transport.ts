import {
  INVALID_REQUEST,
  type JSONRPCMessage,
  PARSE_ERROR,
  parseJSONRPCMessage,
  type Transport,
} from '@modelcontextprotocol/server';

/** JSON-RPC 2.0, section 5: null if the request's id could not be read. */
type Id = string | number | null;

function idOf(value: unknown): Id {
  const id = typeof value === 'object' && value !== null && 'id' in value ? value.id : null;
  return typeof id === 'string' || typeof id === 'number' ? id : null;
}

/** Undefined: it is not JSON. */
function jsonOf(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

function messageOf(value: unknown): JSONRPCMessage | null {
  try {
    return parseJSONRPCMessage(value);
  } catch {
    return null;
  }
}

export interface AgentStreams {
  input: NodeJS.ReadableStream;
  output: NodeJS.WritableStream;
  /** Bytes of the longest line. */
  limit: number;
}

/**
 * One agent over standard input and output: a message a line. The SDK's own transport skips a line that is no message,
 * and its agent waits for a response until it gives up: here such a line gets its fault as a response.
 */
export class AgentTransport implements Transport {
  onclose?: (() => void) | undefined;
  onmessage?: ((message: JSONRPCMessage) => void) | undefined;
  /** Resolves with whether the agent closed the connection, and not we, after a line that is too long. */
  readonly ended: Promise<boolean>;
  readonly #streams: AgentStreams;
  #end: (byAgent: boolean) => void = () => undefined;
  #rest: Buffer = Buffer.alloc(0);

  constructor(streams: AgentStreams) {
    this.#streams = streams;
    this.ended = new Promise((resolve) => {
      this.#end = resolve;
    });
  }

  async start(): Promise<void> {
    const { input, output } = this.#streams;
    const left = () => this.#end(true);
    input.on('data', this.#take).once('close', left).once('end', left).once('error', left);
    // Later writes fail too, each with an event.
    output.on('error', left);
  }

  async close(): Promise<void> {
    this.#streams.input.off('data', this.#take).pause();
    this.#end(false);
    this.onclose?.();
  }

  send(message: JSONRPCMessage): Promise<void> {
    return this.#write(message);
  }

  #write(message: object): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#streams.output.write(`${JSON.stringify(message)}\n`, (error) => (error ? reject(error) : resolve()));
    });
  }

  readonly #take = (chunk: Buffer): void => {
    let rest = Buffer.concat([this.#rest, chunk]);
    for (let end = rest.indexOf('\n'); end >= 0 && end <= this.#streams.limit; end = rest.indexOf('\n')) {
      const line = rest.toString('utf8', 0, end).trim();
      rest = rest.subarray(end + 1);
      if (line !== '') this.#receive(line);
    }
    this.#rest = rest;
    if (rest.length > this.#streams.limit) void this.close();
  };

  #receive(line: string): void {
    const value = jsonOf(line);
    if (value === undefined) {
      this.#refuse(null, PARSE_ERROR, 'This line is not JSON.');
      return;
    }
    const message = messageOf(value);
    if (message === null) this.#refuse(idOf(value), INVALID_REQUEST, 'This is not a JSON-RPC 2.0 message.');
    else this.onmessage?.(message);
  }

  #refuse(id: Id, code: number, message: string): void {
    // An agent that left gets no response; `ended` says so.
    this.#write({ jsonrpc: '2.0', id, error: { code, message } }).catch(() => undefined);
  }
}
