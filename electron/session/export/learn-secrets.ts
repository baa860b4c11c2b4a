import { hasNamedValues } from '../../../shared/format/redact/redaction.ts';
import type { Redactor } from '../../../shared/format/redact/redactor.ts';
import type { Exchange } from '../../../shared/model/exchange.ts';
import type { Choice } from '../read/chosen-rows.ts';
import { mediaTypeOfBody, searchedBody } from '../read/searched-body.ts';
import type { SessionReader } from '../read/session-reader.ts';
import { exportedExchanges } from './exported-exchanges.ts';
import { LimitedRedactor } from './limited-redactor.ts';

/** Not only the exported ones: an exported script may hold a token that another exchange names. */
const ALL: Choice = { query: '', window: null };

/**
 * Reads the secrets of all exchanges of a session: the same secret can then be removed from each place where it occurs,
 * also before the place that names it. `patterns`: regular expressions; the redactor throws `export.slow-pattern` for
 * one that takes too long. Rejects with the signal's reason.
 */
export async function learnSecrets(
  reader: SessionReader,
  patterns: readonly string[],
  signal: AbortSignal,
): Promise<Redactor> {
  const redactor = new LimitedRedactor(patterns);
  for await (const { exchange, bodies } of exportedExchanges(reader, ALL, () => undefined, signal)) {
    redactor.learn(exchange);
    if (exchange.kind === 'upgrade') learnMessages(reader, exchange, redactor);
    for (const side of ['request', 'response'] as const) {
      if (!hasNamedValues(mediaTypeOfBody(exchange, side))) continue;
      const searched = await searchedBody(bodies, exchange, side);
      if (searched !== null) redactor.learnBody(searched.text, searched.mediaType);
    }
  }
  return redactor;
}

/** Messages have no type; their text shows whether they are JSON. */
function learnMessages(reader: SessionReader, exchange: Exchange, redactor: Redactor): void {
  for (const { payload } of reader.messages.payloads(exchange, 0, Number.POSITIVE_INFINITY))
    redactor.learnBody(payload.bytes.toString('utf8'), '');
}
