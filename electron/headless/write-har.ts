import path from 'node:path';
import type { Host } from '../commands/host.ts';
import { uniqueName } from '../commands/unique-name.ts';

/** A new path in the working folder: `roundtrip-2026-11-20T22-47-03-412Z-5f3a9c1e.har`. */
export function defaultHarPath(now: Date): string {
  return path.resolve(`roundtrip-${uniqueName(now)}.har`);
}

/** `note`: what could not be read of a damaged session; null: nothing. */
export interface WrittenHar {
  exchanges: number;
  failed: number;
  note: string | null;
}

/** Writes the whole session as a HAR. Rejects with `har.write-failed`. */
export async function writeHar({ runtime }: Host, file: string): Promise<WrittenHar> {
  const { exchanges, note } = await runtime.recorded.export({
    path: file,
    selection: { format: 'har', query: '', window: null, ids: null, redact: false, patterns: [] },
    onProgress: () => undefined,
    signal: new AbortController().signal,
  });
  return { exchanges, failed: await countFailed(runtime), note };
}

async function countFailed(runtime: Host['runtime']): Promise<number> {
  let failed = 0;
  let after = 0;
  for (let more = true; more; ) {
    const page = await runtime.recorded.page({ after, limit: 5000 });
    failed += page.rows.filter(({ state }) => state === 'failed').length;
    after = page.rows.at(-1)?.id ?? after;
    more = page.more;
  }
  return failed;
}
