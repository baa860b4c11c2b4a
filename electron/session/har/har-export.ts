import { randomUUID } from 'node:crypto';
import { type HarBody, type HarMessages, harEntry } from '../../../shared/format/har.ts';
import type { Redactor } from '../../../shared/format/redact/redactor.ts';
import type { Exchange } from '../../../shared/model/exchange.ts';
import { firstHeader, mediaTypeOf } from '../../../shared/model/headers.ts';
import { RoundtripError, roundtripError, systemCode } from '../../failures/errors.ts';
import { fileProblem } from '../../files/file-problem.ts';
import { BatchedBodies } from '../read/batched-bodies.ts';
import { type Choice, ChosenRows, type Counted } from '../read/chosen-rows.ts';
import { ConnectionCache } from '../read/connection-cache.ts';
import type { SessionReader } from '../read/session-reader.ts';
import { type UserMarks, userMarksOf, withoutSecrets } from '../read/user-marks.ts';
import { harBody } from './har-body.ts';
import { HarFile } from './har-file.ts';
import { eventTimes, harMessages } from './har-messages.ts';
import { HarPages } from './har-pages.ts';

/** Bytes. Longer decoded bodies are left out, with a comment. */
const BODY_LIMIT = 64 * 1024 * 1024;
/** UTF-16 units. Longer texts are written separately, not as part of the entry's JSON. */
const INLINE_LIMIT = 256 * 1024;

export interface HarExport extends Choice {
  /** An existing file is replaced once the new one is complete; null: standard output. */
  path: string | null;
  /** Removes secrets; null: nothing is removed. */
  redactor: Redactor | null;
  creator: { name: string; version: string };
  /** Bytes of one decoded body; default 64 MiB. */
  bodyLimit?: number;
}

/**
 * Writes a session as HAR 1.2, entry by entry: memory holds one entry at a time, regardless of the session's size.
 * Leaves out exchanges that start during the export, and connections without a request, for which HAR has no form; the
 * log's comment counts those connections.
 *
 * Rejects with `har.write-failed` or the signal's reason. An existing file at `path` then stays unchanged, and no new
 * one is left.
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
    const rows = new ChosenRows(reader, job);
    const counted = await rows.count(signal);
    file = await HarFile.create(job.path);
    const exchanges = await writeLog(file, { reader, job, rows, counted, onProgress, signal });
    return { exchanges, bytes: await file.finish() };
  } catch (error) {
    await file?.discard();
    if (signal.aborted || error instanceof RoundtripError) throw error;
    const path = job.path ?? 'standard output';
    const code = job.path === null ? 'export.failed' : 'har.write-failed';
    throw roundtripError(code, { path, detail: fileProblem(error, path) }, systemCode(error));
  }
}

interface Writing {
  reader: SessionReader;
  job: HarExport;
  rows: ChosenRows;
  counted: Counted;
  onProgress: (written: number, total: number) => void;
  signal: AbortSignal;
}

/** Returns how many entries it wrote. */
async function writeLog(file: HarFile, { reader, job, rows, counted, onProgress, signal }: Writing): Promise<number> {
  const session = reader.sessionId();
  const connections = new ConnectionCache();
  const pages = new HarPages();
  const userMarks = userMarksOf(reader);
  let written = 0;
  await file.write(head(job, counted));
  for (const page of rows.pages(counted.lastId)) {
    const exchanges = reader.exchanges(page, connections);
    const bodies = new BatchedBodies(reader, exchanges);
    for (const [index, exchange] of exchanges.entries()) {
      signal.throwIfAborted();
      bodies.moveTo(index);
      const { parts, texts } = await harPartsOf({ reader, bodies, job, pages, userMarks }, exchange);
      await file.writeWith(`${written === 0 ? '\n' : ',\n'}${harEntry(...parts)}`, texts);
      written += 1;
      // Exchanges that were open during the count may match the filter now.
      onProgress(written, Math.max(written, counted.count));
    }
    if (reader.sessionId() !== session) throw new Error('the session was cleared during the export');
  }
  await file.write(`\n],"pages":${JSON.stringify(pages.list(titleOf(job, counted)))}}}\n`);
  // The signal may have been aborted after the check for the last entry.
  signal.throwIfAborted();
  return written;
}

function withoutRequest(connections: number): string {
  if (connections === 1) return '1 connection carried no request and has no entry.';
  return `${connections} connections carried no request and have no entry.`;
}

/** Of exchanges that belong to no page. */
function titleOf({ creator }: HarExport, { startedAt }: Counted): { title: string; startedAt: number } {
  const start = Number.isFinite(startedAt) ? startedAt : Date.now();
  return { title: `Recorded by ${creator.name}, ${new Date(start).toISOString()}`, startedAt: start };
}

/** `pages` follow the entries: only then are all pages known. */
function head({ creator }: HarExport, { without }: Counted): string {
  const comment = without === 0 ? {} : { comment: withoutRequest(without) };
  const log = {
    version: '1.2',
    creator,
    ...comment,
    entries: [],
  };
  return `{"log":${JSON.stringify(log).slice(0, -2)}`;
}

interface EntrySources {
  reader: SessionReader;
  bodies: BatchedBodies;
  job: Pick<HarExport, 'redactor' | 'bodyLimit'>;
  pages: HarPages;
  userMarks: UserMarks;
}

/** What an entry is made of; its long texts are separate, by their placeholders. */
export async function harPartsOf(
  { reader, bodies, job, pages, userMarks }: EntrySources,
  recorded: Exchange,
): Promise<{ parts: Parameters<typeof harEntry>; texts: Map<string, string> }> {
  const { redactor, bodyLimit: limit = BODY_LIMIT } = job;
  const exchange = redactor?.exchange(recorded) ?? recorded;
  const texts = new Map<string, string>();
  const both = {
    request: besides(texts, await harBody(bodies, exchange, 'request', { redactor, limit })),
    response: besides(texts, await harBody(bodies, exchange, 'response', { redactor, limit })),
  };
  const messages = messagesOf(reader, recorded, redactor);
  const userMark = withoutSecrets(userMarks.get(recorded.id) ?? null, redactor);
  return { parts: [exchange, both, pages.of(exchange), messages, userMark], texts };
}

/** HAR has no form for server-sent events: they stay in the body, and only their times are apart. */
function messagesOf(reader: SessionReader, recorded: Exchange, redactor: Redactor | null): HarMessages | undefined {
  const { kind, response } = recorded;
  if (kind === 'upgrade') return harMessages(reader, recorded, redactor);
  const type = response === null ? undefined : firstHeader(response.headers, 'content-type');
  return mediaTypeOf(type) === 'text/event-stream' ? eventTimes(reader, recorded) : undefined;
}

/** Moves a long text out of the entry's JSON and puts a unique placeholder in its place. */
function besides(texts: Map<string, string>, body: HarBody): HarBody {
  if (body.text === null || body.text.length <= INLINE_LIMIT) return body;
  const name = randomUUID();
  texts.set(name, body.text);
  return { ...body, text: name };
}
