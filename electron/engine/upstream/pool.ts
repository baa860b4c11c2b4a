import { ExtendedConnect } from './extended-connect.ts';
import { H2Upstream } from './h2-upstream.ts';
import { type OpeningContext, openConnection } from './open-connection.ts';
import type { EarlySocket } from './open-way.ts';
import { addressOf, type Origin } from './origin.ts';
import { type Acquiring, tryConnecting } from './try-connecting.ts';
import type { ConnectionOwner, UpstreamConnection } from './upstream-stream.ts';

/** How long idle connections may be over their number; milliseconds. */
const SWEEP_INTERVAL = 2_000;

export interface PoolSettings {
  keepAlive: boolean;
  retry: boolean;
}

interface Waiter {
  resolve(connection: UpstreamConnection): void;
  reject(error: unknown): void;
  acquiring: Acquiring;
}

interface OriginPool {
  idle: UpstreamConnection[];
  sessions: H2Upstream[];
  sockets: number;
  /** While the first connection to an origin that may speak h2 is on its way, the others wait for what it speaks. */
  scouting: boolean;
  waiting: Waiter[];
}

function hasRoom(connection: UpstreamConnection): boolean {
  return connection.hasRoom;
}

/** Whether a session has yet to hear how many streams its peer takes: a moment later it may have room for all that wait. */
function hasUnsettled(pool: OriginPool): boolean {
  return pool.sessions.some((each) => each.isUnsettled);
}

/** Opened, and not yet taken by an exchange. */
function isUnused(connection: UpstreamConnection): boolean {
  return connection.opening !== null && connection.hasRoom;
}

/** Connections by origin: idle h1 ones, last used first, and h2 sessions with room. */
export class UpstreamPool implements ConnectionOwner {
  readonly #pools = new Map<string, OriginPool>();
  readonly #context: OpeningContext;
  readonly #settings: () => PoolSettings;
  readonly #all = new Set<UpstreamConnection>();
  readonly #sweeper: NodeJS.Timeout;
  readonly #extendedConnect = new ExtendedConnect();

  constructor(context: OpeningContext, settings: () => PoolSettings) {
    this.#context = context;
    this.#settings = settings;
    this.#sweeper = setInterval(() => this.#sweep(), Math.min(SWEEP_INTERVAL, context.limits.idleSocketTime / 2));
    this.#sweeper.unref();
  }

  get size(): number {
    return this.#all.size;
  }

  /** A connection that can take a request at once, or null. `sticky`: the one that this client used before. */
  take(origin: Origin, sticky: UpstreamConnection | null): UpstreamConnection | null {
    const pool = this.#pools.get(origin.key);
    if (!pool) return null;
    // Without keep-alive each exchange has a connection of its own: one that was opened ahead for it is.
    const usable = this.#settings().keepAlive ? hasRoom : isUnused;
    const session = pool.sessions.find(usable);
    if (session) return session;
    const at = sticky ? pool.idle.lastIndexOf(sticky) : -1;
    const connection = at >= 0 ? pool.idle.splice(at, 1)[0] : pool.idle.pop();
    if (!connection) return null;
    connection.idleSince = -1;
    if (usable(connection)) return connection;
    connection.destroy();
    return this.take(origin, null);
  }

  /** Whether a tunnel to this origin needs no connection of its own to be begun. */
  has(origin: Origin): boolean {
    const pool = this.#pools.get(origin.key);
    return pool !== undefined && (pool.idle.length > 0 || pool.sessions.some((each) => each.hasRoom));
  }

  /**
   * A connection, opened where none is free, tried again as the policy has it. Rejects with a ConnectionError. A stream of an
   * HTTP/2 session is kept for `acquiring` until that begins its exchange.
   */
  async acquire(origin: Origin, acquiring: Acquiring, fresh: boolean): Promise<UpstreamConnection> {
    const free = fresh ? null : this.take(origin, null);
    if (free) {
      if (free instanceof H2Upstream) free.keepRoomFor(acquiring);
      return free;
    }
    const pool = this.#poolOf(origin);
    const { keepAlive } = this.#settings();
    if (keepAlive && (pool.scouting || (!fresh && hasUnsettled(pool)) || this.#isFull(pool))) {
      return new Promise((resolve, reject) => pool.waiting.push({ resolve, reject, acquiring }));
    }
    return this.#open(origin, acquiring, null, true);
  }

  /** Opens a connection to the origin, whatever is idle. `early`: TCP begun before. Rejects with a ConnectionError. */
  open(origin: Origin, acquiring: Acquiring, early: EarlySocket | null): Promise<UpstreamConnection> {
    return this.#open(origin, acquiring, early, false);
  }

  /** `begins`: whether `acquiring` is about to begin an exchange on it. */
  async #open(
    origin: Origin,
    acquiring: Acquiring,
    early: EarlySocket | null,
    begins: boolean,
  ): Promise<UpstreamConnection> {
    const pool = this.#poolOf(origin);
    // A session has room for many: where all are full, one more is opened for all that wait, and not one for each.
    const scouts = origin.alpn.includes('h2') && (pool.sockets === 0 || pool.sessions.length > 0);
    if (scouts) pool.scouting = true;
    pool.sockets += 1;
    try {
      const connection = await this.#openWithRetry(origin, acquiring, early);
      this.#all.add(connection);
      if (connection instanceof H2Upstream) {
        if (begins) connection.keepRoomFor(acquiring);
        pool.sessions.push(connection);
      }
      return connection;
    } catch (error) {
      pool.sockets -= 1;
      if (scouts && pool.sessions.length === 0) for (const waiter of pool.waiting.splice(0)) waiter.reject(error);
      throw error;
    } finally {
      if (scouts) pool.scouting = false;
      // After the caller's own turn: it begins its exchange before those that waited.
      queueMicrotask(() => this.#serveWaiting(origin, pool));
    }
  }

  async #openWithRetry(origin: Origin, acquiring: Acquiring, early: EarlySocket | null): Promise<UpstreamConnection> {
    const { opened, failed } = await tryConnecting(
      (before) => openConnection(origin, this.#context, this, before === 0 ? early : null),
      acquiring,
      () => this.#settings().retry,
    );
    if (opened.opening) opened.opening.failed = failed;
    return opened;
  }

  free(connection: UpstreamConnection): void {
    const pool = this.#poolOf(connection.origin);
    if (!this.#settings().keepAlive && !isUnused(connection)) {
      if (!(connection instanceof H2Upstream) || connection.streams === 0) connection.destroy();
      return;
    }
    if (connection instanceof H2Upstream) {
      if (pool.waiting.length > 0) this.#serveWaiting(connection.origin, pool);
      return;
    }
    const waiter = this.#nextWaiter(pool);
    if (waiter) {
      waiter.resolve(connection);
      return;
    }
    // Those over the limit go at the next sweep, not now: in a burst the next request is a moment away, and closing one
    // connection to open another took a fifth of the engine's time at 128 clients.
    pool.idle.push(connection);
    connection.idleSince = performance.now();
  }

  gone(connection: UpstreamConnection): void {
    const pool = this.#poolOf(connection.origin);
    if (!this.#all.delete(connection)) return;
    pool.sockets -= 1;
    pool.idle = pool.idle.filter((each) => each !== connection);
    pool.sessions = pool.sessions.filter((each) => each !== connection);
    if (pool.waiting.length > 0) this.#serveWaiting(connection.origin, pool);
    else if (pool.sockets === 0 && !pool.scouting) this.#pools.delete(connection.origin.key);
  }

  extendedConnect(origin: Origin): void {
    this.#extendedConnect.learn(addressOf(origin));
  }

  /** Calls `tell` once where the origin takes extended CONNECT: at once, or when it says so. Returns what ends the waiting. */
  whenExtendedConnect(origin: { host: string; port: number }, tell: () => void): () => void {
    return this.#extendedConnect.when(addressOf(origin), tell);
  }

  #nextWaiter(pool: OriginPool): Waiter | undefined {
    let waiter = pool.waiting.shift();
    while (waiter?.acquiring.cancelled) waiter = pool.waiting.shift();
    return waiter;
  }

  /** Hands what has room to those that wait, and opens more for the rest as far as the limit goes. */
  #serveWaiting(origin: Origin, pool: OriginPool): void {
    while (pool.waiting.length > 0) {
      const free = this.take(origin, null);
      if (!free && (pool.scouting || hasUnsettled(pool) || this.#isFull(pool))) return;
      const waiter = this.#nextWaiter(pool);
      if (!waiter) {
        if (free && !(free instanceof H2Upstream)) this.free(free);
        return;
      }
      if (free) {
        if (free instanceof H2Upstream) free.keepRoomFor(waiter.acquiring);
        waiter.resolve(free);
      } else {
        this.#open(origin, waiter.acquiring, null, true).then(waiter.resolve, waiter.reject);
      }
    }
  }

  #isFull(pool: OriginPool): boolean {
    return pool.sockets >= this.#context.limits.socketsPerOrigin;
  }

  #poolOf(origin: Origin): OriginPool {
    let pool = this.#pools.get(origin.key);
    if (!pool) {
      pool = { idle: [], sessions: [], sockets: 0, scouting: false, waiting: [] };
      this.#pools.set(origin.key, pool);
    }
    return pool;
  }

  #sweep(): void {
    const before = performance.now() - this.#context.limits.idleSocketTime;
    for (const { idle } of this.#pools.values()) {
      for (const connection of idle.filter((each) => each.idleSince < before)) connection.destroy();
      // The last used stand last, and stay.
      const surplus = idle.length - this.#context.limits.idleSocketsPerOrigin;
      for (const connection of idle.slice(0, Math.max(surplus, 0))) connection.destroy();
    }
  }

  /** Forgets idle connections: the way upstream has changed. Those in use end with their exchanges' next turn. */
  dropIdle(): void {
    for (const pool of this.#pools.values()) {
      for (const connection of [...pool.idle]) connection.destroy();
      for (const session of pool.sessions) if (session.streams === 0) session.destroy();
    }
  }

  close(): void {
    clearInterval(this.#sweeper);
    for (const connection of this.#all) connection.destroy();
  }
}
