import type { SoakWindow } from './soak-window.ts';
import type { WatchedProcess } from './watched-process.ts';

export interface HarOutcome {
  seconds: number;
  /** Bytes: of the file. */
  bytes: number;
  /** Entries that the file holds. */
  entries: number;
  /** Whether the file is complete: it ends correctly. */
  whole: boolean;
  /** Bytes of the process's memory, one sample after another. */
  memory: number[];
}

const ENTRY = Buffer.from('\n{"pageref":');
const END = '}]}}\n';

/** Reads the file as a browser would fetch it. It is too long to be parsed: each entry begins a line. */
async function readEntries(url: URL): Promise<{ entries: number; whole: boolean }> {
  const { body } = await fetch(url);
  if (body === null) return { entries: 0, whole: false };
  let entries = 0;
  let rest: Buffer = Buffer.alloc(0);
  for await (const piece of body) {
    const bytes = Buffer.concat([rest, piece]);
    for (let at = bytes.indexOf(ENTRY); at >= 0; at = bytes.indexOf(ENTRY, at + 1)) entries += 1;
    rest = bytes.subarray(-(ENTRY.length - 1));
  }
  return { entries, whole: rest.toString().endsWith(END) };
}

/** Exports the session as a window does, and watches the process meanwhile. */
export async function exportHar(window: SoakWindow, watched: WatchedProcess, ui: string): Promise<HarOutcome> {
  watched.looks();
  const began = performance.now();
  const { sessions } = await window.api.request('sessions.list', {});
  const session = sessions[0]?.id ?? '';
  const saved = await window.api.request('har.export', { session, query: '', window: null, redact: false });
  const seconds = (performance.now() - began) / 1000;
  const memory = watched.looks();
  if (saved.status !== 'ready') throw new Error(`the export was ${saved.status}`);
  return { seconds, bytes: saved.bytes, memory, ...(await readEntries(new URL(saved.url, ui))) };
}
