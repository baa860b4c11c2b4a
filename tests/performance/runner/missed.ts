import { wrapped } from '../../../build/docs/wrapped.ts';
import type { Outcome } from './scenario.ts';
import { markdownTable } from './tables.ts';
import { type Verdict, verdicts } from './targets.ts';

/** Why targets are missed, if known. The first matching entry counts. */
const CAUSES: readonly { scenarios: RegExp; cause: string }[] = [
  {
    scenarios: /^h1-(get|post)-ordinary$/,
    cause:
      "The engine's thread is full. `node-framing` shows the least that a Node proxy can do, and it records nothing.",
  },
  {
    scenarios: /^page-/,
    cause:
      'Chromium keeps every core busy, and the engine meets each request with cold caches: it needs several times ' +
      "the CPU of requests that follow each other. The window's drawing takes part of it: compare `no window`.",
  },
  {
    scenarios: /^new-host$/,
    cause: 'A new host needs two TLS handshakes where `direct` needs one; see `node-http`, which makes no certificate.',
  },
  {
    scenarios: /^accuracy-/,
    cause:
      "Bytes that arrive while the engine's thread is busy wait for it. That time counts as our overhead, and the " +
      'event loop shows only roughly when they arrived.',
  },
  {
    scenarios: /^ablations-/,
    cause: 'The exporter reads each exchange from the session file on a thread that takes CPU from the clients.',
  },
];

function causeOf({ target }: Verdict): string {
  return CAUSES.find(({ scenarios }) => scenarios.test(target.scenario))?.cause ?? 'Unknown.';
}

/** The targets that a run missed, and after them each cause with its scenarios. */
export function missedTargets(outcomes: readonly Outcome[], rowOf: (verdict: Verdict) => readonly string[]): string {
  const all = verdicts(outcomes);
  const missed = all.filter(({ met }) => !met);
  if (missed.length === 0) return `All ${all.length} targets are met.`;
  const head = ['scenario', 'what', 'target', 'measured'];
  const table = markdownTable([head, ...missed.map((each) => rowOf(each).slice(0, head.length))]);
  const causes = [...new Set(missed.map(causeOf))].map((cause) => {
    const found = missed.filter((each) => causeOf(each) === cause);
    const names = new Set(found.map(({ target }) => `\`${target.scenario}\``));
    return wrapped(`- ${[...names].join(', ')}: ${cause}`);
  });
  return [`${missed.length} of ${all.length} targets are missed.`, table, causes.join('\n')].join('\n\n');
}
