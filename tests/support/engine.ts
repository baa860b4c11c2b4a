import { inject, onTestFinished } from 'vitest';
import { openCertificateAuthority } from '../../electron/engine/ca/certificate-authority.ts';
import { Engine, type EngineOptions } from '../../electron/engine/engine.ts';
import type { ExchangeObserver } from '../../electron/engine/engine-event.ts';
import type { MessageMark } from '../../shared/model/message-mark.ts';
import './engine-ca.ts';
import type { RecordedSide } from '../../shared/model/body-side.ts';
import type { Sighting } from '../../shared/model/capture-check.ts';
import type { ConnectionInfo } from '../../shared/model/connection.ts';
import type { Exchange } from '../../shared/model/exchange.ts';
import type { ConnectionEnd } from '../../shared/model/insight/connection-end.ts';
import type { Limits } from '../../shared/model/limits.ts';
import type { RuleList } from '../../shared/model/rule/rule.ts';
import { DEFAULT_SETTINGS, type Settings } from '../../shared/model/settings.ts';
import { ruleList } from './rule-list.ts';

/** Keeps an engine's reports about its exchanges. */
export class SeenExchanges implements ExchangeObserver {
  readonly recording = true;
  /** Whether bodies are kept: other projects' tests send gigabytes. */
  keepsBodies = true;
  readonly all: Exchange[] = [];
  readonly bodies = new Map<string, Buffer[]>();
  readonly messages: MessageMark[] = [];
  /** Of connections, in the order of their ends. */
  readonly ends: ({ side: 'client' | 'upstream'; id: number } & ConnectionEnd)[] = [];
  #exchanges = 0;
  #connections = 0;
  #waiting: (() => void)[] = [];

  /** How many have begun, ended or not. */
  get started(): number {
    return this.#exchanges;
  }

  nextExchangeId(): number {
    this.#exchanges += 1;
    return this.#exchanges;
  }

  nextConnectionId(): number {
    this.#connections += 1;
    return this.#connections;
  }

  connectionEnded(side: 'client' | 'upstream', { id, end }: ConnectionInfo): void {
    if (end) this.ends.push({ side, id, ...end });
    for (const wake of this.#waiting.splice(0)) wake();
  }

  changed(_exchange: Exchange): void {}

  bodyPiece(exchange: Exchange, side: RecordedSide, piece: Uint8Array): boolean {
    if (!this.keepsBodies) return true;
    const key = `${exchange.id} ${side}`;
    const pieces = this.bodies.get(key) ?? [];
    pieces.push(Buffer.from(piece));
    this.bodies.set(key, pieces);
    return true;
  }

  message(_exchange: Exchange, mark: MessageMark): void {
    this.messages.push(mark);
  }

  onDrain(_exchange: Exchange, resume: () => void): void {
    resume();
  }

  ended(exchange: Exchange): void {
    this.all.push(structuredClone(exchange));
    for (const wake of this.#waiting.splice(0)) wake();
  }

  /** The end of the first connection of that side, awaited; `why`: of the first that ended for this reason. */
  async end1(side: 'client' | 'upstream', why?: ConnectionEnd['why']): Promise<ConnectionEnd> {
    for (;;) {
      const found = this.ends.find((end) => end.side === side && end.why === (why ?? end.why));
      if (found) return found;
      await new Promise<void>((wake) => this.#waiting.push(wake));
    }
  }

  body(exchange: Exchange, side: RecordedSide): string {
    return Buffer.concat(this.bodies.get(`${exchange.id} ${side}`) ?? []).toString();
  }

  /** The first matching ended exchange, awaited. */
  async ended1(fits: (exchange: Exchange) => boolean = () => true): Promise<Exchange> {
    for (;;) {
      const found = this.all.find(fits);
      if (found) return found;
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
  }
}

export interface TestEngine {
  engine: Engine;
  seen: SeenExchanges;
  sightings: Sighting[];
  /** `http://127.0.0.1:PORT`. */
  proxy: string;
  port: number;
  caPath: string;
  caPem: string;
  apply(settings: Partial<Settings>): void;
  /** Resolve when this many connections are open on that side. */
  clientCount(count: number): Promise<void>;
  upstreamCount(count: number): Promise<void>;
}

/** The variable puts this many rules that match nothing into each engine: all tests must pass with them. */
const IDLE_RULES = Number(process.env.ROUNDTRIP_IDLE_RULES ?? 0);

function idleRules(count: number): RuleList {
  const actions = [
    { changeRequest: { setHeaders: [['x-rule', 'yes']] } },
    { changeResponse: { replaceBody: [{ find: 'e', with: 'x' }] } },
    { answer: { body: 'mocked' } },
    { fail: { how: 'reset' } },
  ];
  const rules = Array.from({ length: count }, (_, index) => ({
    name: `idle ${index}`,
    when: `host:idle${index}.invalid path:/idle`,
    do: [actions[index % actions.length]],
  }));
  return ruleList(...rules);
}

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resume) => setTimeout(resume, 5));
}

type MoreOptions = Partial<
  Pick<EngineOptions, 'runPac' | 'host' | 'refusedAuthorities' | 'onFailure' | 'scripts' | 'onReverse' | 'onBreaks'>
>;

/** A real engine on a free port of loopback, closed with the test. */
export async function testEngine(
  settings: Partial<Settings> = {},
  limits: Partial<Limits> = {},
  more: MoreOptions = {},
): Promise<TestEngine> {
  const started = await startTestEngine(settings, limits, more);
  onTestFinished(() => started.engine.close({ graceMs: 0 }));
  return started;
}

/** The same for a whole file's tests; close its `engine` after them. */
export async function startTestEngine(
  settings: Partial<Settings> = {},
  limits: Partial<Limits> = {},
  more: MoreOptions = {},
): Promise<TestEngine> {
  const ca = await openCertificateAuthority(inject('engineCaFolder'));
  const seen = new SeenExchanges();
  const sightings: Sighting[] = [];
  const all = { ...DEFAULT_SETTINGS, limits, ...settings };
  const engine = await Engine.start({
    host: '127.0.0.1',
    port: 0,
    settings: all,
    certificates: { certificatePem: ca.certificatePem, keyPem: ca.keyPem, leafFolder: null },
    observer: seen,
    refusedAuthorities: [],
    onSighting: (sighting) => void sightings.push(sighting),
    ...more,
  });
  engine.applyRules(idleRules(IDLE_RULES));
  const { port } = engine.address;
  return {
    engine,
    seen,
    sightings,
    proxy: `http://127.0.0.1:${port}`,
    port,
    caPath: ca.certificatePath,
    caPem: ca.certificatePem,
    apply: (change) => engine.applySettings({ ...all, ...change }),
    clientCount: (count) => until(() => engine.connections().client === count),
    upstreamCount: (count) => until(() => engine.connections().upstream === count),
  };
}
