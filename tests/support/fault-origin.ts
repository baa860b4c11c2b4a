import net, { type Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { HpackDecoder } from '../../electron/engine/http2/hpack/decoder.ts';
import { HpackEncoder } from '../../electron/engine/http2/hpack/encoder.ts';
import { LeafCertificates } from '../../electron/engine/tls/leaf-certificates.ts';
import { END_HEADERS, FRAME, frame, uint32 } from './http2-frames.ts';
import { listen } from './listen.ts';
import { testCa } from './test-ca.ts';

/** When a response breaks, and how: `before/reset`, `after/goaway-2`, `after/rst-8`. */
export type FaultName = `${'before' | 'after'}/${'reset' | 'close' | `goaway-${number}` | `rst-${number}`}`;

const PREFACE_LENGTH = 24;
/** A gRPC message that says it has ten bytes, and four of them. */
const PART_OF_A_BODY = Buffer.concat([Buffer.from([0, 0, 0, 0, 10]), Buffer.from('some')]);

/** One connection: the request's path names the fault that it is answered with. */
class FaultConnection {
  readonly #tcp: Socket;
  readonly #secure: TLSSocket;
  readonly #decoder = new HpackDecoder(4096);
  readonly #encoder = new HpackEncoder();
  #bytes = Buffer.alloc(0);
  #left = PREFACE_LENGTH;
  #breaks: (() => void) | null = null;

  constructor(tcp: Socket, secure: TLSSocket) {
    this.#tcp = tcp;
    this.#secure = secure;
    secure.on('error', () => {});
    secure.on('data', (chunk: Buffer) => this.#read(chunk));
  }

  #read(chunk: Buffer): void {
    this.#bytes = Buffer.concat([this.#bytes, chunk]);
    if (this.#bytes.length < this.#left) return;
    this.#bytes = this.#bytes.subarray(this.#left);
    this.#left = 0;
    while (this.#bytes.length >= 9 && this.#bytes.length >= 9 + this.#bytes.readUIntBE(0, 3)) {
      const end = 9 + this.#bytes.readUIntBE(0, 3);
      const [type, flags, stream] = [this.#bytes[3] ?? 0, this.#bytes[4] ?? 0, this.#bytes.readUInt32BE(5)];
      this.#frame(type, flags, stream, this.#bytes.subarray(9, end));
      this.#bytes = this.#bytes.subarray(end);
    }
  }

  #frame(type: number, flags: number, stream: number, payload: Buffer): void {
    const isAck = (flags & 1) === 1;
    if (type === FRAME.settings && !isAck) {
      this.#secure.write(Buffer.concat([frame(FRAME.settings, 0, 0), frame(FRAME.settings, 1, 0)]));
    } else if (type === FRAME.ping && !isAck) {
      this.#secure.write(frame(FRAME.ping, 1, 0, payload));
    } else if (type === FRAME.ping) {
      this.#breaks?.();
    } else if (type === FRAME.headers) {
      // 0x20: five bytes of priority precede the fields.
      const from = flags & 0x20 ? 5 : 0;
      this.#request(stream, this.#decoder.decode(payload, from, payload.length, 65_536, 100));
    }
  }

  #request(stream: number, fields: readonly string[]): void {
    const path = fields[fields.indexOf(':path') + 1] ?? '';
    const [, when, how = ''] = path.split('/');
    if (when === 'after') {
      const type = fields.find((each) => each.startsWith('application/grpc')) ?? 'text/plain';
      const head = this.#encoder.encode([':status', '200', 'content-type', type], null);
      const frames = [frame(FRAME.headers, END_HEADERS, stream, head), frame(FRAME.data, 0, stream, PART_OF_A_BODY)];
      this.#secure.write(Buffer.concat(frames));
    }
    // Its reply shows that everything before it has been read.
    this.#secure.write(frame(FRAME.ping, 0, 0, Buffer.alloc(8)));
    this.#breaks = () => this.#break(stream, how);
  }

  #break(stream: number, how: string): void {
    const [kind, code] = [how.split('-')[0], uint32(Number(how.split('-')[1] ?? 0))];
    if (kind === 'reset') this.#tcp.resetAndDestroy();
    else if (kind === 'close') this.#secure.end();
    else if (kind === 'rst') this.#secure.write(frame(FRAME.reset, 0, stream, code));
    else this.#secure.end(frame(FRAME.goaway, 0, 0, Buffer.concat([uint32(stream), code])));
  }
}

export interface FaultOrigin {
  port: number;
  caPem: string;
  caPath: string;
  close(): void;
}

/** An HTTP/2 server over TLS that breaks each response as its request's path says: a FaultName. */
export async function faultOrigin(): Promise<FaultOrigin> {
  const { ca, remove } = await testCa();
  const leaves = new LeafCertificates({ ...ca, folder: null });
  const sockets = new Set<Socket>();
  const server = net.createServer((tcp) => {
    sockets.add(tcp);
    tcp.on('error', () => {}).on('close', () => sockets.delete(tcp));
    const secureContext = leaves.contextFor('localhost');
    new FaultConnection(tcp, new TLSSocket(tcp, { isServer: true, secureContext, ALPNProtocols: ['h2'] }));
  });
  return {
    port: await listen(server),
    caPem: ca.certificatePem,
    caPath: ca.certificatePath,
    close: () => {
      server.close();
      for (const socket of sockets) socket.destroy();
      remove();
    },
  };
}
