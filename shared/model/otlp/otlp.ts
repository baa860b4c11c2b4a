import * as v from 'valibot';

/** Where exchanges go as OpenTelemetry spans and metrics, while they are recorded. */
export const OtlpSettingsSchema = v.object({
  /** The collector's address, `http://localhost:4318`; empty: none. */
  url: v.string(),
  /** Also exchanges whose `traceparent` says that their trace is not sampled. */
  unsampled: v.boolean(),
  /** The address of a trace in the tracing backend, with `{traceId}` in place of its id; empty: none. */
  traceLink: v.string(),
});
export type OtlpSettings = v.InferOutput<typeof OtlpSettingsSchema>;

export const NO_OTLP: OtlpSettings = { url: '', unsampled: false, traceLink: '' };

/** What is wrong with a collector's address or a link's template, as part of a sentence; null: nothing. */
export function otlpProblem({ url, traceLink }: Pick<OtlpSettings, 'url' | 'traceLink'>): string | null {
  if (url !== '' && !isWebAddress(url)) {
    // Without the address: the sentence goes into logs.
    if (url.includes('@'))
      return "a collector's address can't contain a login: put an access token in OTEL_EXPORTER_OTLP_HEADERS";
    return `${JSON.stringify(url)} is not a collector's address (write it as http://localhost:4318)`;
  }
  if (traceLink !== '' && !(isWebAddress(traceLink) && traceLink.includes('{traceId}')))
    return 'the address of a trace needs http or https, and {traceId}';
  return null;
}

/** Scheme, host (IPv6 in brackets), port, and whatever else there is. `fetch` accepts no address with a login. */
const ADDRESS = /^https?:\/\/(?:\[[0-9a-f:.]+\]|[^\s/?#:@[\]]+)(?::(\d{1,5}))?(?:[/?#]\S*)?$/i;

function isWebAddress(text: string): boolean {
  const parts = ADDRESS.exec(text);
  const port = Number(parts?.[1] ?? 1);
  return parts !== null && port > 0 && port <= 65_535;
}

/** What happened to the exchanges since Roundtrip started. */
export const OtlpStatusSchema = v.object({
  /** The address in use; empty: none. */
  url: v.string(),
  exported: v.number(),
  /** Not accepted by the collector, or too many at once while it was away. */
  dropped: v.number(),
  /** Why the last request failed; null: it did not. */
  problem: v.nullable(v.string()),
});
export type OtlpStatus = v.InferOutput<typeof OtlpStatusSchema>;

export const NOTHING_EXPORTED: OtlpStatus = { url: '', exported: 0, dropped: 0, problem: null };
