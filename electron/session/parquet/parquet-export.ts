import path from 'node:path';
import type { Redactor } from '../../../shared/format/redact/redactor.ts';
import { findIn } from '../../../shared/insight/find.ts';
import type { BodySide } from '../../../shared/model/body-side.ts';
import type { Exchange } from '../../../shared/model/exchange.ts';
import { exportFailure } from '../export/export-text.ts';
import { exportedExchanges } from '../export/exported-exchanges.ts';
import { bodyCodings } from '../format/content-codings.ts';
import { SessionFacts } from '../insight/session-facts.ts';
import type { BodySource } from '../read/batched-bodies.ts';
import { decodeBody } from '../read/decode-body.ts';
import { cleaned, isMedia, isWithoutSecrets, mediaTypeOfBody, searchedBody } from '../read/searched-body.ts';
import type { SessionReader } from '../read/session-reader.ts';
import { type Columns, TableWriter } from './table-writer.ts';
import {
  ATTEMPTS,
  type AttemptRow,
  CONNECTIONS,
  type ConnectionRow,
  EXCHANGE_CONTENTS,
  EXCHANGES,
  type ExchangeRow,
  FINDINGS,
  type FindingRow,
  type FromSource,
} from './tables.ts';

/** Bytes of one decoded body; a larger one is null. */
const BODY_LIMIT = 4 * 1024 * 1024;
/** Exchanges of a session whose findings are computed: their facts are in memory together. */
const MOST_FACTS = 200_000;
/** Connections read at once. */
const PAGE = 1000;

export interface ParquetJob {
  /** The file of the exchanges; the other tables are next to it: `a.attempts.parquet` for `a.parquet`. */
  path: string;
  query: string;
  bodies: boolean;
  creator: string;
  signal: AbortSignal;
}

interface Tables {
  exchanges: TableWriter<ExchangeRow>;
  attempts: TableWriter<AttemptRow>;
  connections: TableWriter<ConnectionRow>;
  findings: TableWriter<FindingRow>;
}

/** Rows by table, and the bytes of all files. */
export interface ParquetSums {
  exchanges: number;
  attempts: number;
  connections: number;
  findings: number;
  bytes: number;
}

/** `a.parquet` -> `a.attempts.parquet`. */
function besides(file: string, table: string): string {
  const { dir, name, ext } = path.parse(file);
  return path.join(dir, `${name}.${table}${ext}`);
}

/** Four Parquet files with the rows of any number of sessions. Memory holds a group of rows of each. */
export class ParquetExport {
  readonly #job: ParquetJob;
  readonly #tables: Tables;

  /** Rejects with `export.failed`. */
  static async create(job: ParquetJob): Promise<ParquetExport> {
    const made: TableWriter<never>[] = [];
    const table = async <R>(file: string, columns: Columns<R>): Promise<TableWriter<R>> => {
      const writer = await TableWriter.create(file, columns, job.creator);
      made.push(writer);
      return writer;
    };
    try {
      const columns = job.bodies ? { ...EXCHANGES, ...EXCHANGE_CONTENTS } : EXCHANGES;
      return new ParquetExport(job, {
        exchanges: await table(job.path, columns),
        attempts: await table(besides(job.path, 'attempts'), ATTEMPTS),
        connections: await table(besides(job.path, 'connections'), CONNECTIONS),
        findings: await table(besides(job.path, 'findings'), FINDINGS),
      });
    } catch (error) {
      for (const writer of made) await writer.discard();
      throw exportFailure(error, job.path, job.signal);
    }
  }

  private constructor(job: ParquetJob, tables: Tables) {
    this.#job = job;
    this.#tables = tables;
  }

  /**
   * Adds a session. `source`: the name in its rows. Resolves with whether its findings are included: they are not for
   * more than 200,000 exchanges. Rejects with `export.failed` or the signal's reason.
   */
  async add(reader: SessionReader, source: string, redactor: Redactor | null): Promise<{ hasFindings: boolean }> {
    const from = { session: reader.sessionId(), source };
    try {
      await this.#addExchanges(reader, from, redactor);
      await this.#addConnections(reader, from);
      const hasFindings = reader.info().exchanges <= MOST_FACTS;
      if (hasFindings) await this.#addFindings(reader, from);
      return { hasFindings };
    } catch (error) {
      throw exportFailure(error, this.#job.path, this.#job.signal);
    }
  }

  async finish(): Promise<ParquetSums> {
    const { exchanges, attempts, connections, findings } = this.#tables;
    let bytes = 0;
    for (const table of [findings, connections, attempts, exchanges]) bytes += await table.finish();
    const rows = { exchanges: exchanges.rows, attempts: attempts.rows };
    return { ...rows, connections: connections.rows, findings: findings.rows, bytes };
  }

  /** Removes unfinished files. Never rejects. */
  async discard(): Promise<void> {
    for (const table of Object.values(this.#tables)) await table.discard();
  }

  async #addExchanges(reader: SessionReader, from: FromSource, redactor: Redactor | null): Promise<void> {
    const { query, signal, bodies: hasBodies } = this.#job;
    const choice = { query, window: null };
    for await (const { exchange: recorded, bodies } of exportedExchanges(reader, choice, () => undefined, signal)) {
      const exchange = redactor?.exchange(recorded) ?? recorded;
      const body = async (side: BodySide) =>
        redactor ? await redactedBody(bodies, recorded, side, redactor) : await bodyOf(bodies, recorded, side);
      const requestBody = hasBodies ? await body('request') : null;
      const responseBody = hasBodies ? await body('response') : null;
      await this.#tables.exchanges.add({ ...from, exchange, requestBody, responseBody });
      for (const [ordinal, attempt] of exchange.attempts.entries())
        await this.#tables.attempts.add({ ...from, exchange: exchange.id, ordinal, attempt });
    }
  }

  async #addConnections(reader: SessionReader, from: FromSource): Promise<void> {
    let after = 0;
    for (;;) {
      const page = reader.connections(after, PAGE);
      for (const { side, connection } of page) await this.#tables.connections.add({ ...from, side, connection });
      after = page.at(-1)?.connection.id ?? after;
      if (page.length < PAGE) return;
    }
  }

  async #addFindings(reader: SessionReader, from: FromSource): Promise<void> {
    for (const finding of findIn(await new SessionFacts(reader).read()))
      await this.#tables.findings.add({ ...from, finding });
  }
}

async function bodyOf(bodies: BodySource, exchange: Exchange, side: BodySide): Promise<Uint8Array | null> {
  const message = exchange[side];
  if (message === null || message.body.stored <= 0) return null;
  const decoded = await decodeBody(bodies.bodyPieces(exchange.id, side), bodyCodings(message), BODY_LIMIT);
  return decoded.complete && decoded.problem === null ? Buffer.concat(decoded.pieces) : null;
}

/** A body without its secrets; a picture or similar without secrets stays unchanged. Null: it could not be searched. */
async function redactedBody(
  bodies: BodySource,
  exchange: Exchange,
  side: BodySide,
  redactor: Redactor,
): Promise<Uint8Array | null> {
  const searched = await searchedBody(bodies, exchange, side, BODY_LIMIT);
  if (searched !== null) return cleaned(searched, redactor, side);
  if (!isMedia(mediaTypeOfBody(exchange, side)) || !(await isWithoutSecrets(bodies, exchange, side, redactor)))
    return null;
  return await bodyOf(bodies, exchange, side);
}
