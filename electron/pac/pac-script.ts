import { isIPv4 } from 'node:net';
import { type JSException, type JSValueHandle, QuickJS } from 'quickjs-wasi';
import { describe, RoundtripError, roundtripError } from '../failures/errors.ts';
import { inNetwork, PURE_FUNCTIONS } from './pac-functions.ts';

const MEMORY_LIMIT = 32 * 1024 * 1024;
/** Stops a script that requests a different name on each run and would never end. */
const MOST_RUNS = 50;
const NAME = 'proxy.pac';

export interface PacSurroundings {
  /** Resolves with the IPv4 address of a name. Rejects if there is none. */
  lookUp(name: string): Promise<string>;
  ownAddress(): string;
}

/** Formats the line of `proxy.pac:3` in the script's stack as "line 3: ". */
function lineOf(stack: string | undefined): string {
  const line = /proxy\.pac:(\d+)/.exec(stack ?? '')?.[1];
  return line === undefined ? '' : `line ${line}: `;
}

function failed(error: unknown): RoundtripError {
  if (error instanceof RoundtripError) return error;
  const { stack } = error as Partial<JSException>;
  return roundtripError('proxy.pac-failed', { where: 'the PAC file', detail: `${lineOf(stack)}${describe(error)}` });
}

/**
 * A PAC script in a separate interpreter that has only the language and the PAC functions. The script runs unchanged,
 * and errors show its line numbers. Unknown names are looked up after the run, and then the script runs again (as in
 * Chromium, net/proxy_resolution/proxy_resolver_v8_tracing.cc).
 */
export class PacScript {
  readonly #vm: QuickJS;
  readonly #surroundings: PacSurroundings;
  /** Null: the name has no address. */
  readonly #addresses = new Map<string, string | null>();
  #unknown = new Set<string>();
  #find: JSValueHandle;

  /** Rejects with `proxy.pac-failed`. */
  static async load(wasm: Buffer, text: string, surroundings: PacSurroundings): Promise<PacScript> {
    const vm = await QuickJS.create({ wasm: new Uint8Array(wasm), memoryLimit: MEMORY_LIMIT });
    const script = new PacScript(vm, surroundings);
    try {
      // Appended to the script's last line: a separate evaluation would not see its declarations.
      script.#find = vm.evalCode(`${text}\n;typeof FindProxyForURL === 'function' ? FindProxyForURL : null`, NAME);
      await script.#learn();
      if (vm.typeof(script.#find) !== 'function') throw new Error('it defines no function FindProxyForURL');
      return script;
    } catch (error) {
      throw failed(error);
    }
  }

  private constructor(vm: QuickJS, surroundings: PacSurroundings) {
    this.#vm = vm;
    this.#find = vm.null;
    this.#surroundings = surroundings;
    for (const [name, work] of Object.entries(PURE_FUNCTIONS))
      this.#define(name, work as (...args: never[]) => unknown);
    this.#define('dnsResolve', (name: string) => this.#address(name));
    this.#define('isResolvable', (name: string) => this.#address(name) !== null);
    this.#define('isInNet', (name: string, pattern: string, mask: string) => {
      const address = this.#address(name);
      return address !== null && inNetwork(address, pattern, mask);
    });
    this.#define('myIpAddress', () => this.#surroundings.ownAddress());
    this.#define('alert', () => undefined);
  }

  #define(name: string, work: (...args: never[]) => unknown): void {
    const vm = this.#vm;
    vm.setProp(
      vm.global,
      name,
      vm.newFunction(name, (...args) => vm.hostToHandle(work(...(args.map((arg) => vm.dump(arg)) as never[])))),
    );
  }

  /** Returns the known address of a name; an unknown one is looked up after the run. */
  #address(name: unknown): string | null {
    if (typeof name !== 'string' || name === '') return null;
    if (isIPv4(name)) return name;
    const known = this.#addresses.get(name);
    if (known === undefined) this.#unknown.add(name);
    return known ?? null;
  }

  /** Looks up the names that the last run requested. Returns false if there were none. */
  async #learn(): Promise<boolean> {
    const names = [...this.#unknown];
    this.#unknown = new Set();
    await Promise.all(
      names.map(async (name) => {
        const address = await this.#surroundings.lookUp(name).catch(() => null);
        this.#addresses.set(name, address);
      }),
    );
    return names.length > 0;
  }

  /** The script's answer, `PROXY proxy.test:8080; DIRECT`. Rejects with `proxy.pac-failed`. */
  async find(url: string, host: string): Promise<string> {
    // Addresses may have changed since the last call.
    this.#addresses.clear();
    for (let run = 0; run < MOST_RUNS; run += 1) {
      const answer = this.#attempt(url, host);
      if (!(await this.#learn())) return this.#checked(answer);
    }
    throw failed(new Error(`it still looked up new names after ${MOST_RUNS} runs`));
  }

  #attempt(url: string, host: string): { value: unknown } | { error: unknown } {
    const vm = this.#vm;
    try {
      const result = vm.callFunction(this.#find, vm.undefined, vm.newString(url), vm.newString(host));
      return { value: vm.dump(result) };
    } catch (error) {
      return { error };
    }
  }

  #checked(answer: { value: unknown } | { error: unknown }): string {
    if ('error' in answer) throw failed(answer.error);
    const { value } = answer;
    if (value === null || value === undefined) return '';
    if (typeof value !== 'string') throw failed(new Error(`it returned a ${typeof value} instead of a string`));
    return value;
  }
}
