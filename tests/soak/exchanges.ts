import { once } from 'node:events';
import http2 from 'node:http2';
import https from 'node:https';
import { WebSocket } from 'ws';
import { bodyOf, type Kind, type LoadPlan, MESSAGES, WORKERS } from './plan.ts';
import { secureTunnel, TunnelAgent } from './tunnels.ts';

const SESSIONS = 3;
/** Requests after which an HTTP/2 connection is closed and another opened. */
const SESSION_REQUESTS = 5000;
/** One of this many HTTP/1.1 responses closes its connection. */
const CLOSING = 500;
/** One of this many requests has a body. */
const POSTING = 5;
const POSTED = Buffer.alloc(1024, 'a request body of a kibibyte. ');

function check(holds: boolean, what: string): void {
  if (!holds) throw new Error(what);
}

function events(text: string, number: number): void {
  const wanted = Array.from({ length: MESSAGES }, (_, index) => `id: ${index}\ndata: event ${index} of ${number}\n\n`);
  check(text === wanted.join(''), `exchange ${number}: the events are others`);
}

/** Runs exchanges through the proxy and checks every response. Each rejects with what was wrong. */
export class Exchanges {
  readonly #plan: LoadPlan;
  readonly #agent: TunnelAgent;
  readonly #sessions: { session: Promise<http2.ClientHttp2Session>; left: number }[] = [];

  constructor(plan: LoadPlan) {
    this.#plan = plan;
    this.#agent = new TunnelAgent(plan, plan.h1, WORKERS);
  }

  make(kind: Kind, number: number): Promise<void> {
    if (kind === 'websocket') return this.#webSocket(number);
    if (kind === 'sse') return this.#events(number);
    return kind === 'h1' ? this.#h1Item(number) : this.#h2Item(number);
  }

  async #h1Item(number: number): Promise<void> {
    const body = number % POSTING === 0 ? POSTED : null;
    const closing = Math.floor(number / 2) % CLOSING === 0 ? '&close' : '';
    const { text, received } = await this.#h1(`/item?n=${number}${closing}`, body);
    check(text === bodyOf(number) && received === (body?.length ?? 0), `exchange ${number}: another response`);
  }

  async #h2Item(number: number): Promise<void> {
    const body = number % POSTING === 0 ? POSTED : null;
    const { text, received } = await this.#h2(`/item?n=${number}`, body);
    check(text === bodyOf(number) && received === (body?.length ?? 0), `exchange ${number}: another response`);
  }

  async #events(number: number): Promise<void> {
    const path = `/events?n=${number}`;
    events((await (number % 2 === 0 ? this.#h1(path, null) : this.#h2(path, null))).text, number);
  }

  #h1(path: string, body: Buffer | null): Promise<{ text: string; received: number }> {
    const options = { port: this.#plan.h1, host: 'localhost', path, agent: this.#agent };
    const request = https.request({ ...options, method: body === null ? 'GET' : 'POST' });
    request.end(body ?? undefined);
    return new Promise((resolve, reject) => {
      request.on('error', reject);
      request.on('response', (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (piece: string) => {
          text += piece;
        });
        response.on('error', reject);
        response.on('end', () => resolve({ text, received: Number(response.headers['x-received']) }));
      });
    });
  }

  async #h2(path: string, body: Buffer | null): Promise<{ text: string; received: number }> {
    const session = await this.#session();
    const stream = session.request({ ':path': path, ':method': body === null ? 'GET' : 'POST' });
    stream.end(body ?? undefined);
    return new Promise((resolve, reject) => {
      let received = -1;
      let text = '';
      stream.on('response', (headers) => {
        received = Number(headers['x-received']);
      });
      stream.setEncoding('utf8').on('data', (piece: string) => {
        text += piece;
      });
      stream.on('error', reject);
      stream.on('end', () => resolve({ text, received }));
    });
  }

  /** The connections take turns; one that has carried enough is left to its last streams. */
  async #session(): Promise<http2.ClientHttp2Session> {
    const next = this.#sessions.shift();
    const used = next && next.left > 0 ? next : { session: this.#openSession(), left: SESSION_REQUESTS };
    // Not at once: a client that got it in this turn has not yet begun its stream.
    if (next && next !== used) void next.session.then((session) => setImmediate(() => session.close()));
    used.left -= 1;
    this.#sessions.push(used);
    while (this.#sessions.length < SESSIONS)
      this.#sessions.unshift({ session: this.#openSession(), left: SESSION_REQUESTS });
    return await used.session;
  }

  async #openSession(): Promise<http2.ClientHttp2Session> {
    const socket = await secureTunnel(this.#plan, this.#plan.h2, 'h2');
    const session = http2.connect(`https://localhost:${this.#plan.h2}`, { createConnection: () => socket });
    // Its streams say so as well.
    session.on('error', () => {});
    return session;
  }

  async #webSocket(number: number): Promise<void> {
    const connection = await secureTunnel(this.#plan, this.#plan.h1, 'http/1.1');
    const socket = new WebSocket(`wss://localhost:${this.#plan.h1}/socket?n=${number}`, {
      createConnection: () => connection,
    });
    await once(socket, 'open');
    for (let count = 0; count < MESSAGES; count += 1) {
      const sent = `message ${count} of ${number}`;
      socket.send(sent);
      const [data] = (await once(socket, 'message')) as [Buffer];
      check(String(data) === sent, `exchange ${number}: another message`);
    }
    socket.close(1000);
    await once(socket, 'close');
  }

  async close(): Promise<void> {
    this.#agent.destroy();
    for (const { session } of this.#sessions) (await session).destroy();
  }
}
