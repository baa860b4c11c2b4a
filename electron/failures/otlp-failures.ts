import { entry } from './entry.ts';

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
      `${a.count} exchanges were not exported to ${a.url}: ${a.detail}. They are in the session file: roundtrip ` +
      'export SOURCE --format otlp --to URL.',
  ),
  'otlp.export-incomplete': entry<{ url: string; exported: number; missing: number; detail: string }>(
    'roundtrip',
    (a) =>
      `${a.missing} exchanges were not exported to ${a.url} (${a.exported} were): ${a.detail}. Run the command again ` +
      'once the collector accepts them; exporting an exchange twice does not create a second trace.',
  ),
} as const;
