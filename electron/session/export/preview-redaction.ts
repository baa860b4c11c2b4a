import type { Redactor } from '../../../shared/format/redact/redactor.ts';
import type { ExportFormatName } from '../../../shared/model/export/export-format.ts';
import type { RedactionCount } from '../../../shared/model/export/redaction-count.ts';
import { harPartsOf } from '../har/har-export.ts';
import { HarPages } from '../har/har-pages.ts';
import type { Choice } from '../read/chosen-rows.ts';
import type { SessionReader } from '../read/session-reader.ts';
import { userMarksOf, withoutSecrets } from '../read/user-marks.ts';
import { csvRow } from './csv-export.ts';
import { curlPart } from './curl-export.ts';
import { type ExportedExchange, exportedExchanges } from './exported-exchanges.ts';
import { learnSecrets } from './learn-secrets.ts';
import { redactedWhole } from './session-export.ts';

/** What redaction replaces in an export. */
export interface RedactionPreview {
  exchanges: number;
  /** The most frequent first. */
  replaced: RedactionCount[];
}

export type PreviewJob = Choice & {
  format: ExportFormatName;
  /** Regular expressions. */
  patterns: readonly string[];
};

/**
 * Redacts the chosen exchanges as an export to `format` does, without writing them. Rejects with the signal's reason.
 */
export async function previewRedaction(
  reader: SessionReader,
  { format, patterns, ...choice }: PreviewJob,
  signal: AbortSignal,
): Promise<RedactionPreview> {
  const redactor = await learnSecrets(reader, patterns, signal);
  let exchanges = 0;
  const redactExchange = REDACTED_PARTS[format](reader, redactor);
  for await (const exported of exportedExchanges(reader, choice, () => undefined, signal)) {
    exchanges += 1;
    await redactExchange(exported);
  }
  return { exchanges, replaced: redactor.counts() };
}

/** Processes an exchange as its export does, and drops the result: the preview counts what the export replaces. */
const REDACTED_PARTS: Record<
  ExportFormatName,
  (reader: SessionReader, redactor: Redactor) => (exported: ExportedExchange) => unknown
> = {
  har: (reader, redactor) => {
    const sources = { reader, job: { redactor }, pages: new HarPages(), userMarks: userMarksOf(reader) };
    return ({ exchange, bodies }) => harPartsOf({ ...sources, bodies }, exchange);
  },
  roundtrip: (reader, redactor) => {
    const userMarks = userMarksOf(reader);
    return async ({ exchange, bodies }) => {
      withoutSecrets(userMarks.get(exchange.id) ?? null, redactor);
      await redactedWhole(reader, bodies, exchange, redactor);
    };
  },
  curl: (_reader, redactor) => (exported) => curlPart(exported, redactor),
  csv:
    (_reader, redactor) =>
    ({ exchange }) =>
      csvRow(exchange, redactor),
};
