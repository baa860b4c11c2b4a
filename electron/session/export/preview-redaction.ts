import type { RedactionCount } from '../../../shared/model/export/redaction-count.ts';
import type { Choice } from '../read/chosen-rows.ts';
import { searchedBody } from '../read/searched-body.ts';
import type { SessionReader } from '../read/session-reader.ts';
import { exportedExchanges } from './exported-exchanges.ts';
import { learnSecrets } from './learn-secrets.ts';

/** What redaction replaces in an export. */
export interface RedactionPreview {
  exchanges: number;
  /** Most first. */
  replaced: RedactionCount[];
}

/**
 * Redacts the chosen exchanges without writing them. `patterns`: regular expressions. Rejects with the signal's reason.
 */
export async function previewRedaction(
  reader: SessionReader,
  choice: Choice,
  patterns: readonly string[],
  signal: AbortSignal,
): Promise<RedactionPreview> {
  const redactor = await learnSecrets(reader, patterns, signal);
  let exchanges = 0;
  for await (const { exchange, bodies } of exportedExchanges(reader, choice, () => undefined, signal)) {
    exchanges += 1;
    redactor.exchange(exchange);
    for (const side of ['request', 'response'] as const) {
      const searched = await searchedBody(bodies, exchange, side);
      if (searched !== null) redactor.body(searched.text, searched.mediaType, side);
    }
  }
  return { exchanges, replaced: redactor.counts() };
}
