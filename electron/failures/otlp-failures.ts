import { entry } from './entry.ts';

function notExported(count: number): string {
  return count === 1 ? '1 exchange was not exported' : `${count} exchanges were not exported`;
}

/** Why exchanges do not reach a tracing backend. Traffic and recording continue. */
export const OTLP_FAILURES = {
  'otlp.not-accepted': entry<{ url: string; detail: string }>(
    'roundtrip',
    (a) =>
      `The collector ${a.url} does not accept the export: ${a.detail}. Roundtrip tries again; exchanges wait ` +
      'in the session file.',
  ),
  'otlp.dropped': entry<{ url: string; count: number; detail: string }>(
    'roundtrip',
    (a) =>
      `${notExported(a.count)} to ${a.url}: ${a.detail}. The session file has what is missing: roundtrip ` +
      'export SOURCE --format otlp --to URL.',
  ),
  'otlp.export-incomplete': entry<{ url: string; exported: number; missing: number; detail: string }>(
    'roundtrip',
    (a) =>
      `${notExported(a.missing)} to ${a.url} (${a.exported} were): ${a.detail}. Run the command again ` +
      'once the collector accepts it; exporting an exchange twice does not create a second trace.',
  ),
} as const;
