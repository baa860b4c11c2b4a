import { once } from 'node:events';
import net, { type AddressInfo } from 'node:net';
import { setTimeout as later } from 'node:timers/promises';
import tls from 'node:tls';
import { LeafCertificates } from '../../../electron/engine/tls/leaf-certificates.ts';
import type { TestEngine } from '../../support/engine.ts';
import type { WireCase } from './case.ts';
import { type Got, Meeting, Player, type Step, sends } from './script.ts';

/**
 * How the client reaches the origin. `tls`: https through CONNECT; `tunnel`: plain HTTP inside a CONNECT; `forward`:
 * plain HTTP that the client hands to its proxy in absolute form.
 */
export type Way = 'tls' | 'tunnel' | 'forward';

export interface Run {
  client: Got;
  /** By connection that brought bytes, in order. */
  origin: Got[];
}

export interface Surroundings {
  engine: TestEngine;
  originCa: { certificatePem: string; keyPem: string };
}

function render(steps: readonly Step[], host: string, absolute: boolean): Step[] {
  return steps.map((step) => {
    const filled = (text: string): string =>
      text.replaceAll('{host}', host).replaceAll('{target}', absolute ? `http://${host}` : '');
    if (typeof step === 'string') return step;
    if ('send' in step) return { send: filled(step.send) };
    return 'until' in step ? { until: filled(step.until) } : step;
  });
}

async function connectTo(port: number): Promise<net.Socket> {
  const socket = net.connect({ port, host: '127.0.0.1', allowHalfOpen: true, noDelay: true });
  await once(socket, 'connect');
  return socket;
}

async function overTls(socket: net.Socket, ca: string): Promise<net.Socket> {
  const secure = tls.connect({ socket, servername: 'localhost', ca, ALPNProtocols: ['http/1.1'] });
  await once(secure, 'secureConnect');
  return secure;
}

async function clientSocket(way: Way, through: TestEngine | null, port: number, ca: string): Promise<net.Socket> {
  const socket = await connectTo(through ? through.port : port);
  if (through && way !== 'forward') {
    socket.write(`CONNECT localhost:${port} HTTP/1.1\r\nHost: localhost:${port}\r\n\r\n`);
    const [response] = (await once(socket, 'data')) as [Buffer];
    socket.pause();
    if (!response.toString().startsWith('HTTP/1.1 200 ')) throw new Error(`CONNECT: ${response}`);
  }
  return way === 'tls' ? overTls(socket, through ? through.caPem : ca) : socket;
}

/** An origin for one case: one port for the direct run and the one through, because both must say the same Host. */
class CaseOrigin {
  readonly #wire: WireCase;
  readonly #server: net.Server;
  readonly #sockets = new Set<net.Socket>();
  #players: Player[] = [];
  #meeting = new Meeting();
  #served: Promise<void> = Promise.resolve();
  #first = (): void => {};

  constructor(wire: WireCase, way: Way, { originCa }: Surroundings) {
    this.#wire = wire;
    const leaves = way === 'tls' ? new LeafCertificates({ ...originCa, folder: null }) : null;
    const serve = (socket: net.Socket): void => this.#serve(socket);
    this.#server = leaves
      ? tls.createServer(
          {
            SNICallback: (name, done) => done(null, leaves.contextFor(name)),
            ALPNProtocols: ['http/1.1'],
            allowHalfOpen: true,
          } as tls.TlsOptions,
          serve,
        )
      : net.createServer({ allowHalfOpen: true, noDelay: true }, serve);
  }

  async listen(): Promise<void> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  get host(): string {
    return `localhost:${this.port}`;
  }

  get got(): Got[] {
    return this.#players.map((player) => player.got);
  }

  /** The script was played to its end on one connection. */
  get served(): Promise<void> {
    return this.#served;
  }

  begin(meeting: Meeting): void {
    this.#meeting = meeting;
    this.#players = [];
    this.#served = new Promise((resolve) => {
      this.#first = resolve;
    });
    for (const socket of this.#sockets) socket.destroy();
  }

  #serve(socket: net.Socket): void {
    this.#sockets.add(socket);
    socket.once('close', () => this.#sockets.delete(socket));
    const player = new Player(socket, this.#meeting, sends(render(this.#wire.client, this.host, false)));
    // A connection without data was opened early and not needed: it is not part of the exchange.
    socket.once('data', () => {
      this.#players.push(player);
      void player.play(render(this.#wire.origin, this.host, false)).then(this.#first);
    });
  }

  close(): void {
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
  }
}

async function play(
  wire: WireCase,
  way: Way,
  { engine, originCa }: Surroundings,
  origin: CaseOrigin,
  direct: boolean,
): Promise<Run> {
  const meeting = new Meeting();
  origin.begin(meeting);
  const { host, port } = origin;
  const socket = await clientSocket(way, direct ? null : engine, port, originCa.certificatePem);
  const client = new Player(socket, meeting, sends(render(wire.origin, host, false)));
  socket.resume();
  await client.play(render(wire.client, host, way === 'forward' && !direct));
  if (client.got.stuck === null) await origin.served;
  // Anything unexpected has had time to arrive.
  await later(3);
  const result = { client: client.got, origin: origin.got };
  socket.destroy();
  return result;
}

/** Plays one case direct and through the engine, and returns what each end received. */
export async function runBoth(wire: WireCase, way: Way, around: Surroundings): Promise<{ direct: Run; through: Run }> {
  const origin = new CaseOrigin(wire, way, around);
  await origin.listen();
  try {
    const direct = await play(wire, way, around, origin, true);
    return { direct, through: await play(wire, way, around, origin, false) };
  } finally {
    origin.close();
  }
}
