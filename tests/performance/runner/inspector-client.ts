import { PAGE_LIMIT } from '../../../shared/contract/requests/exchange-requests.ts';
import type { OutputOf } from '../../../shared/contract/requests.ts';
import type { ExchangeSummary } from '../../../shared/model/exchange-summary.ts';

const REPLY_LIMIT = 5000;

/** A connection to the web host, as an open window has. It listens to the feed, and parses none of it. */
export class InspectorClient {
  readonly #socket: WebSocket;
  readonly #waiting = new Map<number, (text: string) => void>();
  #calls = 0;
  /** The engine's last report on body bytes that the disk was too slow for. */
  bytesNotKept = 0;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.addEventListener('message', ({ data }) => this.#take(String(data)));
  }

  /** `ui`: the address with its token, as the ready event gives it. */
  static async open(ui: string): Promise<InspectorClient> {
    const { host, hash } = new URL(ui);
    const socket = new WebSocket(`ws://${host}/inspector?${hash.slice(1)}`);
    await new Promise<void>((resolve, reject) => {
      socket.addEventListener('open', () => resolve());
      socket.addEventListener('error', () => reject(new Error('the web host cannot be reached')));
    });
    return new InspectorClient(socket);
  }

  #take(text: string): void {
    if (text.startsWith('{"event":"engine.status"')) {
      this.bytesNotKept = JSON.parse(text).payload.bytesNotKept;
    } else if (text.startsWith('{"call":')) {
      this.#waiting.get(Number.parseInt(text.slice('{"call":'.length), 10))?.(text);
    }
  }

  /** Its reply. Rejects if the host refuses, or does not reply within some seconds. */
  async call(name: string, input: unknown): Promise<unknown> {
    this.#calls += 1;
    const id = this.#calls;
    const reply = await new Promise<string>((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`${name} was not answered`)), REPLY_LIMIT);
      this.#waiting.set(id, (text) => {
        clearTimeout(timer);
        resolve(text);
      });
      this.#socket.send(JSON.stringify({ call: id, name, input }));
    });
    if (!reply.startsWith(`{"call":${id},"ok":true`)) throw new Error(`${name} was refused: ${reply}`);
    return JSON.parse(reply).value;
  }

  /** Those that are in the session file by now. */
  async rowsAfter(after: number): Promise<ExchangeSummary[]> {
    const { sessions } = (await this.call('sessions.list', {})) as OutputOf<'sessions.list'>;
    const session = sessions[0]?.id;
    const page = await this.call('exchanges.page', { session, after, limit: PAGE_LIMIT });
    return (page as { rows: ExchangeSummary[] }).rows;
  }

  close(): void {
    this.#socket.close();
  }
}
