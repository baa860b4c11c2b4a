import type { Redactor } from '../../../shared/format/redact/redactor.ts';
import type { Choice } from '../read/chosen-rows.ts';
import type { SessionReader } from '../read/session-reader.ts';

export interface ExportJob extends Choice {
  /** An existing file is replaced once the new one is complete; null: standard output. */
  path: string | null;
  /** Removes secrets; null: nothing is removed. */
  redactor: Redactor | null;
  creator: { name: string; version: string };
}

export interface Exported {
  exchanges: number;
  bytes: number;
}

/**
 * One format, in one file of this folder. Streams: memory holds a few exchanges, regardless of the session's size.
 * Rejects with `export.failed`, `har.write-failed` or the signal's reason; the file at `path` is then as it was.
 */
export type WriteExport = (
  reader: SessionReader,
  job: ExportJob,
  onProgress: (written: number, total: number) => void,
  signal: AbortSignal,
) => Promise<Exported>;
