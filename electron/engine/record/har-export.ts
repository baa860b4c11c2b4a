import { randomUUID } from 'node:crypto';
import { compileFilter } from '../../../shared/filter/compile.ts';
import { type HarBody, harEntry } from '../../../shared/format/har.ts';
import { redactExchange } from '../../../shared/format/redaction.ts';
import type { ExchangeSummary } from '../../../shared/model/exchange-summary.ts';
import { RoundtripError, roundtripError, systemCode } from '../errors.ts';
import { fileProblem } from '../file-problem.ts';
import { harBody } from './har-body.ts';
import { HarFile } from './har-file.ts';
import { harMessages } from './har-messages.ts';
import type { SessionReader } from './session-reader.ts';

/** Bodies over it, decoded, are left out and say so; bytes. */
const BODY_LIMIT = 64 * 1024 * 1024;
/** Texts over it are not put into the entry's JSON but written beside it; UTF-16 units. */
const INLINE_LIMIT = 256 * 1024;
const PAGE = 5000;
const PAGE_ID = 'page_1';

export interface HarExport {
  /** Replaced where there is one, once the new one is complete. */
  path: string;
  /** Of shared/filter; empty: everything. */
  query: string;
  /** Milliseconds since the Unix epoch, both included, or null. */
  window: { from: number; to: number } | null;
  /** Leaves secrets out (shared/format/redaction.ts). */
  redact: boolean;
  creator: { name: string; version: string };
  /** Of one decoded body, bytes; 64 MiB unless told. */
  bodyLimit?: number;
}

/**
 * Writes a session as HAR 1.2, entry by entry: what is in memory at once is one entry, whatever the session's size.
 * Exchanges that come while it writes are not in it. Connections that brought no request are not either: HAR has no
 * word for them; the log's comment counts them.
 *
 * Rejects with `har.write-failed`, or the signal's reason; there is no file at `path` then, or the one that was there.
 */
export async function exportHar(
  reader: SessionReader,
  job: HarExport,
  onProgress: (written: number, total: number) => void,
  signal: AbortSignal,
): Promise<{ exchanges: number; bytes: number }> {
  let file: HarFile | undefined;
  try {
    signal.throwIfAborted();
    const chosen = choose(reader, job);
    file = await HarFile.create(job.path);
    await writeLog(file, { reader, job, chosen, onProgress, signal });
    return { exchanges: chosen.ids.length, bytes: await file.finish() };
  } catch (error) {
    await file?.discard();
    if (signal.aborted || error instanceof RoundtripError) throw error;
    throw roundtripError(
      'har.write-failed',
      { path: job.path, detail: fileProblem(error, job.path) },
      systemCode(error),
    );
  }
}

interface Chosen {
  ids: number[];
  /** Connections without a request, left out. */
  without: number;
  /** The first one's start, milliseconds since the Unix epoch. */
  startedAt: number;
}

/** Ids only: of a large session, the rows themselves would fill memory. */
function choose(reader: SessionReader, { query, window, path }: HarExport): Chosen {
  const filter = compileFilter(query);
  if (!filter.ok) throw roundtripError('har.write-failed', { path, detail: filter.problem.message });
  const chosen: Chosen = { ids: [], without: 0, startedAt: Number.POSITIVE_INFINITY };
  for (const row of allRows(reader)) {
    const isWithin = window === null || (row.startedAt >= window.from && row.startedAt <= window.to);
    if (!isWithin || !filter.matches(row)) continue;
    if (row.kind === 'connection') chosen.without += 1;
    else chosen.ids.push(row.id);
    chosen.startedAt = Math.min(chosen.startedAt, row.startedAt);
  }
  if (chosen.startedAt === Number.POSITIVE_INFINITY) chosen.startedAt = Date.now();
  return chosen;
}

function* allRows(reader: SessionReader): Generator<ExchangeSummary> {
  let after = 0;
  for (let more = true; more; ) {
    const page = reader.page(after, PAGE);
    yield* page.rows;
    after = page.rows.at(-1)?.id ?? after;
    more = page.more;
  }
}

interface Writing {
  reader: SessionReader;
  job: HarExport;
  chosen: Chosen;
  onProgress: (written: number, total: number) => void;
  signal: AbortSignal;
}

async function writeLog(file: HarFile, { reader, job, chosen, onProgress, signal }: Writing): Promise<void> {
  const session = reader.sessionId();
  await file.write(head(job, chosen));
  for (const [index, id] of chosen.ids.entries()) {
    signal.throwIfAborted();
    if (reader.sessionId() !== session) throw new Error('the session was cleared meanwhile');
    await file.write(index === 0 ? '\n' : ',\n');
    await writeEntry(file, reader, id, job);
    onProgress(index + 1, chosen.ids.length);
  }
  await file.write('\n]}}\n');
  // The last entries may all have been written between two looks at it.
  signal.throwIfAborted();
}

function head({ creator }: HarExport, { without, startedAt }: Chosen): string {
  const startedDateTime = new Date(startedAt).toISOString();
  const title = `Recorded by ${creator.name}, ${startedDateTime}`;
  const comment = without === 0 ? {} : { comment: `${without} connections brought no request, and have no entry.` };
  const log = {
    version: '1.2',
    creator,
    pages: [{ startedDateTime, id: PAGE_ID, title, pageTimings: { onContentLoad: -1, onLoad: -1 } }],
    ...comment,
    entries: [],
  };
  return `{"log":${JSON.stringify(log).slice(0, -2)}`;
}

async function writeEntry(file: HarFile, reader: SessionReader, id: number, job: HarExport): Promise<void> {
  const { redact, bodyLimit: limit = BODY_LIMIT } = job;
  const recorded = reader.get(id);
  const exchange = redact ? redactExchange(recorded).exchange : recorded;
  const texts = new Map<string, string>();
  const bodies = {
    request: besides(texts, await harBody(reader, exchange, 'request', { redact, limit })),
    response: besides(texts, await harBody(reader, exchange, 'response', { redact, limit })),
  };
  await file.writeJson(harEntry(exchange, bodies, PAGE_ID, harMessages(reader, recorded, redact)), texts);
}

/** A long text goes beside the entry's JSON, which has a name for it that nothing else can have. */
function besides(texts: Map<string, string>, body: HarBody): HarBody {
  if (body.text === null || body.text.length <= INLINE_LIMIT) return body;
  const name = randomUUID();
  texts.set(name, body.text);
  return { ...body, text: name };
}
