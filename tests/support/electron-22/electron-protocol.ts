import { protocol as oldProtocol } from 'electron';

interface BufferResponse {
  statusCode: number;
  headers: Record<string, string>;
  data: Buffer;
}

type Responder = (request: { url: string }, callback: (response: BufferResponse) => void) => void;

/** Electron 25 replaced this with `protocol.handle`. */
interface BufferProtocol {
  registerBufferProtocol(scheme: string, respond: Responder): boolean;
}

interface ResponseOptions {
  status?: number;
  headers?: Record<string, string>;
}

/** Node 16 has no `Response`. This one has what `protocol.handle` below reads. */
class WholeResponse {
  readonly whole: BufferResponse;

  constructor(body: string | Uint8Array, { status = 200, headers = {} }: ResponseOptions = {}) {
    this.whole = { statusCode: status, headers, data: Buffer.from(body) };
  }
}

function handle(scheme: string, handler: (request: { url: string }) => WholeResponse): void {
  const old: BufferProtocol = oldProtocol;
  old.registerBufferProtocol(scheme, (request, callback) => {
    callback(handler(request).whole);
  });
}

Object.assign(globalThis, { Response: WholeResponse });

export const protocol = {
  handle,
  registerSchemesAsPrivileged: oldProtocol.registerSchemesAsPrivileged,
};
