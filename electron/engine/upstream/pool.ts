import { type Borrower, chooseIdle, isKeptByOther, isOwn, keeperOf } from './borrower.ts';
import { connectSchedule } from './connect/connect-schedule.ts';
import { type OpeningContext, openConnection } from './connect/open-connection.ts';
import type { EarlySocket } from './connect/open-way.ts';
import { type Acquiring, type ConnectSchedule, tryConnecting } from './connect/try-connecting.ts';
import type { ConnectionUser } from './connection-user.ts';
import { ExtendedConnect } from './h2/extended-connect.ts';
import { H2Upstream } from './h2/h2-upstream.ts';
import { StreamLimits } from './h2/stream-limits.ts';
import { addressOf, type Origin } from './origin.ts';
import type { ConnectionOwner, UpstreamConnection } from './upstream-stream.ts';

/** How long idle connections may exceed their limit; milliseconds. */
const SWEEP_INTERVAL = 2_000;

export interface PoolSettings {
  keepAlive: boolean;
  retry: boolean;
  retryRefused: boolean;
}

interface Waiter {
  origin: Origin;
  borrower: Borrower;
}

/** Requests that wait for the same sessions. */
interface Queue {
  /** The HTTP/2 client whose sessions they are, or null for the sessions of all other clients. */
  readonly keeper: ConnectionUser | null;
  /** A connection that may multiplex is being opened, and the other requests wait for it. */
  scouting: boolean;
  readonly waiting: Waiter[];
}

interface OriginPool {
  idle: UpstreamConnection[];
  sessions: H2Upstream[];
  sockets: number;
  /** Whether the origin speaks HTTP/2: what its last connection chose, or null before there is one. */
  multiplexes: boolean | null;
  /** By keeper; only those in use. */
  queues: Map<ConnectionUser | null, Queue>;
}

/** Whether a multiplexing connection is about to have room: it is being opened, or its stream limit is unknown yet. */
function mayGetRoom({ sessions }: OriginPool, { keeper, scouting }: Queue): boolean {
  if (scouting) return true;
  return sessions.some((each) => each.usable && !each.isSettled && (keeper === null || each.user === keeper));
}

function queueOf(pool: OriginPool, keeper: ConnectionUser | null): Queue {
  let queue = pool.queues.get(keeper);
  if (!queue) {
    queue = { keeper, scouting: false, waiting: [] };
    pool.queues.set(keeper, queue);
  }
  return queue;
}

/** Moves a queue after the others, which are then served first; an empty queue is dropped. */
function putLast({ queues }: OriginPool, queue: Queue): void {
  const { keeper, scouting, waiting } = queue;
  if (queues.get(keeper) !== queue) return;
  queues.delete(keeper);
  if (scouting || waiting.length > 0) queues.set(keeper, queue);
}

function firstWaiting({ waiting }: Queue): Waiter | undefined {
  while (waiting[0]?.borrower.cancelled) waiting.shift();
  return waiting[0];
}

/** Opened but not used yet. */
function isUnused(connection: UpstreamConnection): boolean {
  return connection.opening !== null && connection.hasRoom;
}

/** Connections by origin: idle HTTP/1.1 connections, and HTTP/2 sessions with room. */
export class UpstreamPool implements ConnectionOwner {
  readonly #pools = new Map<string, OriginPool>();
  readonly #context: OpeningContext;
  readonly #settings: () => PoolSettings;
  readonly #schedule: ConnectSchedule;
  readonly #all = new Set<UpstreamConnection>();
  readonly #sweeper: NodeJS.Timeout;
  readonly #extendedConnect = new ExtendedConnect();
  readonly #streamLimits = new StreamLimits();
  /** Counts the changes after which existing connections are not reused. */
  #generation = 0;

  constructor(context: OpeningContext, settings: () => PoolSettings) {
    this.#context = context;
    this.#settings = settings;
    this.#schedule = connectSchedule(context.reached, settings);
    this.#sweeper = setInterval(() => this.#sweep(), Math.min(SWEEP_INTERVAL, context.limits.idleSocketTime / 2));
    this.#sweeper.unref();
  }

  get size(): number {
    return this.#all.size;
  }

  /** Origins with an entry: those with a connection, or with requests that wait for one. */
  get origins(): number {
    return this.#pools.size;
  }

  /** A connection that can take this request at once, or null. */
  take(origin: Origin, borrower: Borrower): UpstreamConnection | null {
    const pool = this.#pools.get(origin.key);
    return pool ? (this.#takeSession(pool, borrower) ?? this.#takeIdle(pool, borrower)) : null;
  }

  /** This idle connection, which its user has not used yet; null if it is no longer idle. */
  takeFirst(origin: Origin, connection: UpstreamConnection): UpstreamConnection | null {
    const idle = this.#pools.get(origin.key)?.idle;
    const at = idle?.indexOf(connection) ?? -1;
    if (!idle || at < 0) return null;
    idle.splice(at, 1);
    connection.idleSince = -1;
    return connection;
  }

  /** A session with active streams is not idle: the server has just shown that it keeps it open. */
  #takeSession(pool: OriginPool, borrower: Borrower): H2Upstream | null {
    const isFull = this.#isFull(pool);
    let shared: H2Upstream | null = null;
    for (const session of pool.sessions) {
      if (!this.#isUsable(session)) continue;
      if (isOwn(borrower, session)) return session;
      if (!isFull && isKeptByOther(borrower, session)) continue;
      if (borrower.repeatable || session.streams > 0) shared ??= session;
    }
    return shared;
  }

  #takeIdle(pool: OriginPool, borrower: Borrower): UpstreamConnection | null {
    for (;;) {
      const at = chooseIdle(pool.idle, borrower, this.#isFull(pool));
      const connection = at < 0 ? undefined : pool.idle.splice(at, 1)[0];
      if (!connection) return null;
      connection.idleSince = -1;
      if (this.#isUsable(connection)) return connection;
      connection.destroy('us', 'settings');
    }
  }

  /** Without keep-alive each exchange uses a separate connection, which may have been opened ahead for it. */
  #isUsable(connection: UpstreamConnection): boolean {
    return this.#settings().keepAlive ? connection.hasRoom : isUnused(connection);
  }

  /** Whether a new HTTP/2 client of this origin needs no new connection. */
  hasSpare(origin: Origin): boolean {
    const sessions = this.#pools.get(origin.key)?.sessions ?? [];
    return sessions.some(({ hasRoom, user }) => hasRoom && (user === null || user.closed));
  }

  /** Calls `borrower` back as soon as a connection is available, and opens one for it if the limits allow. */
  acquire(origin: Origin, borrower: Borrower): void {
    const pool = this.#poolOf(origin);
    const queue = queueOf(pool, keeperOf(borrower));
    const mustWait = this.#settings().keepAlive && (mayGetRoom(pool, queue) || !this.#makesRoom(pool));
    if (mustWait) queue.waiting.push({ origin, borrower });
    else this.#openFor(origin, borrower);
  }

  #openFor(origin: Origin, borrower: Borrower): void {
    this.open(origin, borrower, null).then(
      (connection) => {
        borrower.connected(connection);
        this.#serveWaiting(this.#poolOf(origin));
      },
      (error: unknown) => borrower.unconnected(error),
    );
  }

  /**
   * Opens a new connection to the origin, even if one is idle. The caller begins a request on it or frees it. `early`:
   * a TCP connection opened before. Rejects with a ConnectionError.
   */
  async open(origin: Origin, acquiring: Acquiring, early: EarlySocket | null): Promise<UpstreamConnection> {
    const pool = this.#poolOf(origin);
    const keeper = keeperOf(acquiring);
    const queue = queueOf(pool, keeper);
    const scouts = origin.alpn.includes('h2') && pool.multiplexes !== false && !queue.scouting;
    if (scouts) queue.scouting = true;
    pool.sockets += 1;
    const generation = this.#generation;
    try {
      const connection = await this.#openWithRetry(origin, acquiring, early);
      this.#all.add(connection);
      pool.multiplexes = connection instanceof H2Upstream;
      if (scouts) queue.scouting = false;
      if (generation === this.#generation) {
        if (connection instanceof H2Upstream) {
          connection.user = keeper;
          pool.sessions.push(connection);
        }
        return connection;
      }
      connection.destroy('us', 'settings');
    } catch (error) {
      pool.sockets -= 1;
      if (scouts) queue.scouting = false;
      this.#openingFailed(origin, pool, queue, scouts && !acquiring.cancelled ? error : null);
      throw error;
    }
    // The connection was opened and verified under settings that no longer apply.
    return await this.open(origin, acquiring, null);
  }

  /**
   * `shared`: the error of a connection that other requests waited for; null lets each of them make its own attempt.
   */
  #openingFailed(origin: Origin, pool: OriginPool, { waiting }: Queue, shared: unknown): void {
    if (shared !== null) for (const { borrower } of waiting.splice(0)) borrower.unconnected(shared);
    this.#serveWaiting(pool);
    this.#forgetEmpty(origin, pool);
  }

  #forgetEmpty({ key }: Origin, pool: OriginPool): void {
    const inUse = pool.sockets > 0 || pool.queues.size > 0;
    if (!inUse && this.#pools.get(key) === pool) this.#pools.delete(key);
  }

  async #openWithRetry(origin: Origin, acquiring: Acquiring, early: EarlySocket | null): Promise<UpstreamConnection> {
    const { opened, failed } = await tryConnecting(
      (before) => openConnection(origin, this.#context, this, before === 0 ? early : null),
      acquiring,
      this.#schedule,
    );
    if (opened.opening) opened.opening.failed = failed;
    return opened;
  }

  free(connection: UpstreamConnection): void {
    const pool = this.#poolOf(connection.origin);
    const isSession = connection instanceof H2Upstream;
    if (!this.#settings().keepAlive && !isUnused(connection)) {
      if (!isSession || connection.streams === 0) connection.destroy('us', 'settings');
      return;
    }
    if (!isSession) {
      // Connections over the limit are closed at the next sweep, not now. In a burst the next request is a moment away,
      // and closing one connection to open another took a fifth of the engine's time at 128 clients.
      pool.idle.push(connection);
      connection.idleSince = performance.now();
    }
    if (pool.queues.size > 0) this.#serveWaiting(pool);
  }

  gone(connection: UpstreamConnection): void {
    const pool = this.#poolOf(connection.origin);
    if (!this.#all.delete(connection)) return;
    this.#context.connectionEnded(connection.info);
    connection.user?.upstreamGone?.(connection.info);
    pool.sockets -= 1;
    pool.idle = pool.idle.filter((each) => each !== connection);
    pool.sessions = pool.sessions.filter((each) => each !== connection);
    this.#serveWaiting(pool);
    this.#forgetEmpty(connection.origin, pool);
  }

  streamLimit(origin: Origin): number {
    return this.#streamLimits.get(origin.key);
  }

  settled(connection: UpstreamConnection, streams: number): void {
    this.#streamLimits.set(connection.origin.key, streams);
    const pool = this.#pools.get(connection.origin.key);
    if (pool) this.#serveWaiting(pool);
  }

  extendedConnect(origin: Origin): void {
    this.#extendedConnect.learn(addressOf(origin));
  }

  /**
   * Calls `tell` once if the origin supports extended CONNECT: immediately if known, otherwise when its SETTINGS show
   * it. Returns a function that stops the wait.
   */
  whenExtendedConnect(origin: { host: string; port: number }, tell: () => void): () => void {
    return this.#extendedConnect.when(addressOf(origin), tell);
  }

  /** Gives free connections to waiting requests, and opens more for the rest as far as the limit allows. */
  #serveWaiting(pool: OriginPool): void {
    for (const queue of [...pool.queues.values()]) {
      this.#serveQueue(pool, queue);
      putLast(pool, queue);
    }
  }

  #serveQueue(pool: OriginPool, queue: Queue): void {
    for (let waiter = firstWaiting(queue); waiter; waiter = firstWaiting(queue)) {
      const { origin, borrower } = waiter;
      const free = this.take(origin, borrower);
      if (!free && (mayGetRoom(pool, queue) || !this.#makesRoom(pool))) return;
      queue.waiting.shift();
      if (free) borrower.connected(free);
      else this.#openFor(origin, borrower);
    }
  }

  #isFull({ sockets }: OriginPool): boolean {
    return sockets >= this.#context.limits.socketsPerOrigin;
  }

  /** Whether another connection may be opened. If only idle ones are in the way, the oldest closes to make room. */
  #makesRoom(pool: OriginPool): boolean {
    if (!this.#isFull(pool)) return true;
    pool.idle.shift()?.destroy('us', 'limit');
    return false;
  }

  #poolOf(origin: Origin): OriginPool {
    let pool = this.#pools.get(origin.key);
    if (!pool) {
      pool = { idle: [], sessions: [], sockets: 0, multiplexes: null, queues: new Map() };
      this.#pools.set(origin.key, pool);
    }
    return pool;
  }

  #sweep(): void {
    const before = performance.now() - this.#context.limits.idleSocketTime;
    for (const { idle, sessions } of this.#pools.values()) {
      for (const connection of idle.filter((each) => each.idleSince < before)) connection.destroy('us', 'idle');
      // The most recently used are at the end of the list and stay.
      const surplus = idle.length - this.#context.limits.idleSocketsPerOrigin;
      for (const connection of idle.slice(0, Math.max(surplus, 0))) connection.destroy('us', 'limit');
      // One idle session serves the next client; sessions dedicated to departed clients are not needed.
      const left = sessions.filter(({ streams, user, opening }) => streams === 0 && !opening && user?.closed);
      for (const session of left.slice(0, -1)) session.destroy('us', 'limit');
    }
  }

  /** The route upstream, or its trust, has changed: connections in use close after their exchanges. */
  retire(): void {
    this.#generation += 1;
    for (const pool of this.#pools.values()) pool.sessions = [];
    for (const connection of [...this.#all]) connection.retire();
  }

  close(): void {
    clearInterval(this.#sweeper);
    for (const connection of this.#all) connection.destroy('us', 'stopped');
  }
}
