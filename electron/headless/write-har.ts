import path from 'node:path';
import type { Host } from '../commands/host.ts';

/** `roundtrip-2026-11-20T22-47-03.har` in the working folder. */
export function defaultHarPath(now: Date): string {
  return path.resolve(`roundtrip-${now.toISOString().slice(0, 19).replaceAll(':', '-')}.har`);
}

/** The whole session as HAR. Rejects with `har.write-failed`. */
export async function writeHar({ runtime }: Host, file: string): Promise<{ exchanges: number; failed: number }> {
  const { exchanges } = await runtime.exportHar({
    path: file,
    selection: { query: '', window: null, redact: false },
    onProgress: () => undefined,
    signal: new AbortController().signal,
  });
  return { exchanges, failed: await countFailed(runtime) };
}

async function countFailed(runtime: Host['runtime']): Promise<number> {
  let failed = 0;
  let after = 0;
  for (let more = true; more; ) {
    const page = await runtime.page({ after, limit: 5000 });
    failed += page.rows.filter(({ state }) => state === 'failed').length;
    after = page.rows.at(-1)?.id ?? after;
    more = page.more;
  }
  return failed;
}
