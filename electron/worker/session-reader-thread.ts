import { parentPort, workerData } from 'node:worker_threads';
import manifest from '../../package.json' with { type: 'json' };
import {
  ENDS_LIMIT,
  FINDING_ROWS_LIMIT,
  FINDINGS_LIMIT,
  LIVE_EXCHANGES_LIMIT,
  PAGES_LIMIT,
} from '../../shared/contract/insight-limits.ts';
import { PREVIEW_LIMIT } from '../../shared/contract/requests/export-requests.ts';
import { findIn } from '../../shared/insight/find.ts';
import { findPages } from '../../shared/insight/pages/find-pages.ts';
import type { Finding, ShortFinding } from '../../shared/model/insight/finding.ts';
import type { Page } from '../../shared/model/insight/page.ts';
import { damagedRows } from '../failures/damaged-rows.ts';
import { roundtripError } from '../failures/errors.ts';
import { unlessRefused } from '../failures/write-refused.ts';
import { compareFiles } from '../session/compare/compare-files.ts';
import { applyEdit } from '../session/edit/apply-edit.ts';
import { EXPORT_FORMATS } from '../session/export/export-formats.ts';
import { learnSecrets } from '../session/export/learn-secrets.ts';
import { previewRedaction } from '../session/export/preview-redaction.ts';
import { isBeingRecorded } from '../session/format/lock-file.ts';
import { SessionFacts } from '../session/insight/session-facts.ts';
import { damageFound } from '../session/read/damage-found.ts';
import { saveBody } from '../session/read/save-body.ts';
import { SessionReader } from '../session/read/session-reader.ts';
import { type SearchProgress, searchSession } from '../session/search/search-session.ts';
import { tryRule } from '../session/trial/try-rule.ts';
import { servePieces } from './replay/body-port.ts';
import { ScriptRunner } from './script/script-runner.ts';
import type { Opening, SessionCalls, SessionNotice, SessionReaderData } from './session-calls.ts';
import { type Answers, answerCalls } from './thread-call.ts';
import { trimGrown, trimWhenIdle } from './trim-heap.ts';

const host = parentPort;
if (host === null) throw new Error('session-reader-thread runs as a worker thread');
const { threadFolder } = workerData as SessionReaderData;
/** Users cannot see more frequent updates. Milliseconds. */
const PROGRESS_INTERVAL = 50;

let open: SessionReader | null = null;
let known: { of: SessionReader; facts: SessionFacts; found: { version: string; findings: Finding[] } | null } | null =
  null;
/** Readers of the file before it was edited. */
const retired: SessionReader[] = [];
/** Exports, previews, searches and trials, by their jobs. */
const running = new Map<number, AbortController>();

/** Throws `session.not-open` if the file holds another session than `session`, because it was cleared. */
function reader(session: string | null): SessionReader {
  if (open === null) throw roundtripError('engine.stopped', {});
  if (session !== null && open.sessionId() !== session) throw roundtripError('session.not-open', {});
  return open;
}

function closeRetired(): void {
  if (running.size === 0) for (const each of retired.splice(0)) each.close();
}

/**
 * Reopens a closed file that has changed: it is read as unchanging, or as a copy. A call may still use the previous
 * reader, which is closed when another follows.
 */
function reopen(path: string): void {
  const next = new SessionReader(path);
  closeRetired();
  if (open) retired.push(open);
  open = next;
}

/** Kept for the next call, which then reads only what is new. */
function knownOf(of: SessionReader): NonNullable<typeof known> {
  if (known?.of !== of) known = { of, facts: new SessionFacts(of, LIVE_EXCHANGES_LIMIT), found: null };
  return known;
}

/** The limit for windows. */
function shortened(found: readonly Finding[]): ShortFinding[] {
  return found.slice(0, FINDINGS_LIMIT).map((finding) => {
    const { exchanges } = finding;
    return { ...finding, exchanges: exchanges.slice(0, FINDING_ROWS_LIMIT), rows: exchanges.length };
  });
}

async function findingsOf(of: SessionReader): Promise<SessionCalls['findings']['output']> {
  const about = knownOf(of);
  const facts = await about.facts.read();
  const { version, skipped } = about.facts;
  // A window that is reloaded asks again: it takes the thread a second for 100,000 exchanges.
  if (about.found?.version !== version) about.found = { version, findings: findIn(facts) };
  const { findings } = about.found;
  return { findings: shortened(findings), total: findings.length, skipped, note: damagedRows(of.damaged.size) };
}

function endsAfter(of: SessionReader, after: number): SessionCalls['connectionEnds']['output'] {
  const ends = of.connectionEnds(after, ENDS_LIMIT + 1);
  return { ends: ends.slice(0, ENDS_LIMIT), more: ends.length > ENDS_LIMIT };
}

function latest(pages: readonly Page[]): SessionCalls['pages']['output'] {
  const shorten = ({ exchanges, initiators, ...page }: Page) => ({
    ...page,
    exchanges: exchanges.slice(0, FINDING_ROWS_LIMIT),
    initiators: initiators.slice(0, FINDING_ROWS_LIMIT),
  });
  return { pages: pages.slice(-PAGES_LIMIT).map(shorten) };
}

function progressOf(job: number): (written: number, total: number) => void {
  let last = 0;
  return (written, total) => {
    const now = performance.now();
    if (now - last < PROGRESS_INTERVAL && written < total) return;
    last = now;
    trimGrown();
    const notice: SessionNotice = { kind: 'export-progress', job, written, total };
    host?.postMessage({ kind: 'notice', notice });
  };
}

type ExportCall = SessionCalls['export'];

async function exportAs({ job, path, selection, session }: ExportCall['input']): Promise<ExportCall['output']> {
  const creator = { name: manifest.productName, version: manifest.version };
  const { redact, format, patterns, ...choice } = selection;
  return await cancellable(job, async (signal) => {
    const from = reader(session);
    const redactor = redact ? await learnSecrets(from, patterns, signal) : null;
    const chosen = { ...choice, path, redactor, creator };
    const written = await EXPORT_FORMATS[format](from, chosen, progressOf(job), signal).catch((error: unknown) => {
      throw unlessRefused('export.failed', path, error);
    });
    return { ...written, note: damageFound(from).join(' ') || null };
  });
}

type PreviewCall = SessionCalls['preview'];

async function preview({ job, choice, session }: PreviewCall['input']): Promise<PreviewCall['output']> {
  const found = await cancellable(job, (signal) => previewRedaction(reader(session), choice, signal));
  return { ...found, replaced: found.replaced.slice(0, PREVIEW_LIMIT), lines: found.replaced.length };
}

async function cancellable<T>(job: number, run: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const cancelling = new AbortController();
  running.set(job, cancelling);
  try {
    return await run(cancelling.signal);
  } finally {
    running.delete(job);
  }
}

async function search({ job, query, session }: SessionCalls['search']['input']): Promise<null> {
  const say = (progress: SearchProgress) => {
    const notice: SessionNotice = { kind: 'search-progress', job, progress };
    host?.postMessage({ kind: 'notice', notice });
  };
  await cancellable(job, (signal) => searchSession(reader(session), query, say, signal));
  return null;
}

/**
 * Scripts run on a thread that ends with the trial: one that loops can be stopped, and none finds another's variables.
 */
async function trial({ job, rule, redact, session }: SessionCalls['tryRule']['input']) {
  const scripts = new ScriptRunner(threadFolder);
  try {
    return await cancellable(job, async (signal) => {
      signal.addEventListener('abort', () => void scripts.close());
      return await tryRule(reader(session), rule, { run: scripts.run, redact, signal });
    });
  } finally {
    await scripts.close();
  }
}

type CompareCall = SessionCalls['compare'];

async function compare({ session, other, otherSession, ignored, limit }: CompareCall['input']) {
  const before = reader(session);
  const after = new SessionReader(other);
  try {
    if (otherSession !== null && after.sessionId() !== otherSession) throw roundtripError('session.not-open', {});
    return await compareFiles(before, after, ignored, limit);
  } finally {
    after.close();
  }
}

function opening({ session, rows }: SessionCalls['opening']['input']): Opening {
  const of = reader(session);
  return { session: of.info(), edits: of.edits(), newest: of.columns(null, rows) };
}

const answers: Answers<SessionCalls> = {
  open: ({ path }) => {
    const next = new SessionReader(path);
    open?.close();
    closeRetired();
    open = next;
    return null;
  },
  info: ({ session }) => reader(session).info(),
  opening,
  page: ({ session, after, limit }) => reader(session).page(after, limit),
  rows: ({ session, after, limit }) => reader(session).columns(after, limit),
  newest: ({ session, limit }) => ({ rows: reader(session).newest(limit) }),
  get: ({ session, id }) => reader(session).get(id),
  body: ({ session, ...input }) => reader(session).readBody(input),
  saveBody: ({ session, save, path }) => saveBody(reader(session), save, path),
  sendBody: ({ session, id, side, port }) => {
    servePieces(port, reader(session).bodyPieces(id, side));
    return null;
  },
  messages: ({ session, ...input }) => reader(session).messages.page(input),
  message: ({ session, ...input }) => reader(session).messages.read(input),
  compare,
  connectionEnds: ({ session, after }) => endsAfter(reader(session), after),
  pages: async ({ session }) => latest(findPages(await knownOf(reader(session)).facts.read())),
  findings: ({ session }) => findingsOf(reader(session)),
  export: exportAs,
  preview,
  search,
  tryRule: trial,
  follow: () => {
    if (open !== null && !open.follows && isBeingRecorded(open.path)) reopen(open.path);
    return null;
  },
  edits: ({ session }) => reader(session).edits(),
  edit: ({ session, edit }) => {
    const { path } = reader(session);
    applyEdit(path, edit);
    if (!isBeingRecorded(path)) reopen(path);
    return null;
  },
  cancel: ({ job }) => {
    running.get(job)?.abort();
    return null;
  },
  close: () => {
    for (const each of [...retired, open]) each?.close();
    open = null;
    // After the reply to this call.
    setImmediate(() => host.close());
    return null;
  },
};
// After the answer: looking for findings takes seconds, and leaves the most garbage.
answerCalls(host, answers, trimWhenIdle);
