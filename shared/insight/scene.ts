import type { Page } from '../model/insight/page.ts';
import type { Fact } from './fact.ts';
import { groupBy } from './group-by.ts';
import type { Span } from './lost-time.ts';
import { findPages } from './pages/find-pages.ts';

/** A session's facts, with the groupings that several rules share. Each is created on first use. */
export class Scene {
  /** Exchanges whose response has ended, by start. Tunnels and connections without a request are not among them. */
  readonly facts: readonly Fact[];
  /** WebSockets, open ones too. */
  readonly sockets: readonly Fact[];
  #origins: Map<string, Fact[]> | null = null;
  #upstreams: Map<number, Fact[]> | null = null;
  #pages: readonly Page[] | null = null;
  #pageNumbers: Map<number, number> | null = null;
  #critical: Map<number, Span> | null = null;

  constructor(facts: readonly Fact[]) {
    this.facts = inOrder(facts.filter(({ kind, state, status }) => kind === 'http' && state !== 'open' && status > 0));
    this.sockets = facts.filter(({ kind }) => kind === 'upgrade');
  }

  /** By origin, each by start. */
  get byOrigin(): ReadonlyMap<string, Fact[]> {
    this.#origins ??= groupBy(this.facts, ({ origin }) => origin);
    return this.#origins;
  }

  get #allPages(): readonly Page[] {
    this.#pages ??= findPages(this.facts);
    return this.#pages;
  }

  /** The number of the page that an exchange belongs to; 0: none. */
  pageOf({ id }: Fact): number {
    this.#pageNumbers ??= new Map(
      this.#allPages.flatMap(({ number, exchanges }) => exchanges.map((exchange) => [exchange, number] as const)),
    );
    return this.#pageNumbers.get(id) ?? 0;
  }

  /** When pages waited for an exchange, by its id. */
  get critical(): ReadonlyMap<number, Span> {
    this.#critical ??= new Map(
      this.#allPages.flatMap(({ startedAt, criticalPath }) =>
        criticalPath.map(({ id, from, to }) => [id, { from: startedAt + from, to: startedAt + to }]),
      ),
    );
    return this.#critical;
  }

  /** By the connection upstream, each by start; without those that used none. */
  get byUpstream(): ReadonlyMap<number, Fact[]> {
    this.#upstreams ??= groupBy(
      this.facts.filter(({ upstream }) => upstream > 0),
      ({ upstream }) => upstream,
    );
    return this.#upstreams;
  }
}

function inOrder(facts: Fact[]): Fact[] {
  return facts.sort((one, other) => one.start - other.start || one.id - other.id);
}
