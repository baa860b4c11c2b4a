import { randomBytes } from 'node:crypto';
import { rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Redactor } from '../../../shared/format/redact/redactor.ts';
import type { BodySide, RecordedSide } from '../../../shared/model/body-side.ts';
import type { Exchange } from '../../../shared/model/exchange.ts';
import type { MessageMark } from '../../../shared/model/message-mark.ts';
import { bodyCodings } from '../format/content-codings.ts';
import { isBeingRecorded } from '../format/lock-file.ts';
import type { BodySource } from '../read/batched-bodies.ts';
import { cleaned, isMedia, isWithoutSecrets, mediaTypeOfBody, searchedBody } from '../read/searched-body.ts';
import type { SessionReader } from '../read/session-reader.ts';
import { userMarksOf, withoutSecrets } from '../read/user-marks.ts';
import { SessionFiller, type WholeExchange } from '../write/session-filler.ts';
import { SessionWriter } from '../write/session-writer.ts';
import type { Exported, ExportJob, WriteExport } from './export-job.ts';
import { exportFailure } from './export-text.ts';
import { exportedExchanges } from './exported-exchanges.ts';
import { redactedEvents, redactedFrames } from './redacted-messages.ts';

const MESSAGES_AT_ONCE = 500;

/** A smaller session file with the chosen exchanges under their own ids. */
export const exportSession: WriteExport = async (reader, job, onProgress, signal) => {
  const target = job.path;
  try {
    signal.throwIfAborted();
    if (target === null) throw new Error('a session file can’t go to standard output: name one with --out');
    const temporary = path.join(path.dirname(target), `.${path.basename(target)}.${randomBytes(6).toString('hex')}`);
    try {
      const exchanges = await writeSession(temporary, reader, { ...job, onProgress, signal });
      await takePlace(temporary, target);
      return { exchanges, bytes: (await stat(target)).size };
    } finally {
      await rm(temporary, { force: true });
    }
  } catch (error) {
    throw exportFailure(error, target, signal);
  }
};

/** In the place of a session that a crash left, SQLite would read the new file with the log of that one. */
async function takePlace(temporary: string, target: string): Promise<void> {
  if (isBeingRecorded(target)) throw new Error('it is being recorded');
  await rename(temporary, target);
  for (const suffix of ['-wal', '-shm']) await rm(target + suffix, { force: true });
}

interface Writing extends ExportJob {
  onProgress: (written: number, total: number) => void;
  signal: AbortSignal;
}

async function writeSession(
  file: string,
  reader: SessionReader,
  { redactor, onProgress, signal, ...choice }: Writing,
): Promise<Exported['exchanges']> {
  const writer = SessionWriter.open(file);
  try {
    const filler = new SessionFiller(writer);
    const userMarks = userMarksOf(reader);
    let exchanges = 0;
    for await (const { exchange, bodies } of exportedExchanges(reader, choice, onProgress, signal)) {
      const userMark = withoutSecrets(userMarks.get(exchange.id) ?? null, redactor);
      const copy = redactor ? await redactedWhole(reader, bodies, exchange, redactor) : whole(reader, exchange);
      filler.add({ ...copy, userMark });
      exchanges += 1;
    }
    filler.flush();
    signal.throwIfAborted();
    return exchanges;
  } finally {
    writer.close();
  }
}

function whole(reader: SessionReader, exchange: Exchange): WholeExchange {
  const { id } = exchange;
  const of = (side: RecordedSide) => reader.bodyPieces(id, side);
  const bodies = { request: of('request'), response: of('response'), sent: of('sent'), received: of('received') };
  return { exchange, bodies, marks: marksOf(reader, id) };
}

function* marksOf(reader: SessionReader, id: number): Generator<MessageMark> {
  for (let from = 0; ; from += MESSAGES_AT_ONCE) {
    const marks = reader.messageMarks(id, from, MESSAGES_AT_ONCE);
    yield* marks;
    if (marks.length < MESSAGES_AT_ONCE) return;
  }
}

/** Left out: the other versions of bodies that rules edited. */
export async function redactedWhole(
  reader: SessionReader,
  source: BodySource,
  recorded: Exchange,
  redactor: Redactor,
): Promise<WholeExchange> {
  const exchange = redactor.exchange(recorded);
  for (const other of [exchange.sent, exchange.received]) if (other) other.body = { ...other.body, own: false };
  if (recorded.kind === 'upgrade') {
    const { bodies, marks } = redactedFrames(reader, recorded, redactor);
    return { exchange, bodies: { request: [bodies.request], response: [bodies.response] }, marks };
  }
  let marks: MessageMark[] = [];
  const side = async (name: BodySide) => {
    const message = exchange[name];
    if (message === null || recorded.kind !== 'http') return null;
    const searched = await searchedBody(source, recorded, name);
    if (searched === null) return await media(source, recorded, name, redactor);
    const clean = (text: string): Buffer => cleaned({ ...searched, text }, redactor, name);
    const isStream = name === 'response' && bodyCodings(recorded.response ?? message).length === 0;
    message.body = { ...message.body, decoded: true };
    if (!isStream || reader.messageCount(recorded.id) === 0) return [clean(searched.text)];
    const events = redactedEvents(
      Buffer.from(searched.text, searched.encoding),
      marksOf(reader, recorded.id),
      (bytes) => clean(bytes.toString(searched.encoding)),
    );
    marks = events.marks;
    return [events.body];
  };
  const bodies = { request: await side('request'), response: await side('response') };
  return { exchange, bodies, marks };
}

/** A picture and the like without secrets stays as it was; a body that could not be searched is left out. */
async function media(
  source: BodySource,
  exchange: Exchange,
  side: BodySide,
  redactor: Redactor,
): Promise<Iterable<Uint8Array> | null> {
  if (!isMedia(mediaTypeOfBody(exchange, side))) return null;
  return (await isWithoutSecrets(source, exchange, side, redactor)) ? source.bodyPieces(exchange.id, side) : null;
}
