import { Exchanges } from './exchanges.ts';
import { type Block, KINDS, type Kind, kindOf, type LoadPlan, WORKERS } from './plan.ts';

class BlockCount {
  readonly #took = new Map<Kind, number[]>(KINDS.map((kind) => [kind, []]));
  readonly #began = performance.now();
  #errors = 0;
  #error: string | null = null;

  took(kind: Kind, ms: number): void {
    this.#took.get(kind)?.push(ms);
  }

  failed(error: unknown): void {
    this.#errors += 1;
    this.#error ??= error instanceof Error ? error.message : String(error);
  }

  report(done: number): Block {
    const p99 = (kind: Kind): number => {
      const sorted = (this.#took.get(kind) ?? []).sort((a, b) => a - b);
      return sorted[Math.floor(sorted.length * 0.99)] ?? 0;
    };
    return {
      done,
      count: this.#errors + KINDS.reduce((sum, kind) => sum + (this.#took.get(kind)?.length ?? 0), 0),
      errors: this.#errors,
      error: this.#error,
      seconds: (performance.now() - this.#began) / 1000,
      p99: { h1: p99('h1'), h2: p99('h2'), websocket: p99('websocket'), sse: p99('sse') },
    };
  }
}

/** Runs the plan's exchanges, and prints a line of JSON after each block. */
async function main(plan: LoadPlan): Promise<void> {
  const exchanges = new Exchanges(plan);
  let block = new BlockCount();
  let next = 0;
  let done = 0;
  const worker = async (): Promise<void> => {
    while (next < plan.exchanges) {
      next += 1;
      const number = next;
      const kind = kindOf(number);
      const began = performance.now();
      try {
        await exchanges.make(kind, number);
        block.took(kind, performance.now() - began);
      } catch (error) {
        block.failed(error);
      }
      done += 1;
      if (done % plan.block !== 0 && done !== plan.exchanges) continue;
      console.log(JSON.stringify(block.report(done)));
      block = new BlockCount();
    }
  };
  await Promise.all(Array.from({ length: WORKERS }, worker));
  await exchanges.close();
}

await main(JSON.parse(process.argv[2] ?? '') as LoadPlan);
