import { compileFilter } from '../../../../shared/filter/compile.ts';
import { counted } from '../../../../shared/format/counts.ts';
import { roundtripError } from '../../../failures/errors.ts';
import { Collector } from '../../../otlp/collector.ts';
import { type ExportCounts, SessionExport } from '../../../otlp/session-export.ts';
import { learnSecrets } from '../../../session/export/learn-secrets.ts';
import { importFaultLine } from '../../../session/import/imported.ts';
import { type OpenedSource, openSource } from '../../../session/import/open-source.ts';
import { ParquetExport } from '../../../session/parquet/parquet-export.ts';
import { Output } from '../../output.ts';
import { cancelledBySignal } from '../../signals.ts';
import { VERSION } from '../../version.ts';
import type { WarehouseCommand } from './warehouse-options.ts';

type Parquet = Extract<WarehouseCommand, { format: 'parquet' }>;
type Otlp = Extract<WarehouseCommand, { format: 'otlp' }>;

/** Attempts per request. With their pauses they take 8.5 seconds, or a minute if the collector never responds. */
const ATTEMPTS = 5;

/** Opens each source in turn. Resolves with the faults of their imports. */
async function eachSource(
  sources: readonly string[],
  output: Output,
  signal: AbortSignal,
  work: (opened: OpenedSource, source: string) => Promise<void>,
): Promise<number> {
  let faults = 0;
  for (const source of sources) {
    const opened = await openSource(source, signal);
    try {
      await work(opened, source);
      const found = opened.faults;
      for (const fault of found) output.fault(importFaultLine(fault));
      faults += found.length;
    } finally {
      await opened.close();
    }
  }
  return faults;
}

async function toParquet(command: Parquet, output: Output, signal: AbortSignal): Promise<0 | 1> {
  const { sources, out, filter, bodies, redact, patterns } = command;
  const job = { path: out, query: filter, bodies, creator: `Roundtrip ${VERSION}`, signal };
  const tables = await ParquetExport.create(job);
  try {
    const faults = await eachSource(sources, output, signal, async ({ reader }, source) => {
      const redactor = redact ? await learnSecrets(reader, patterns, signal) : null;
      const { hasFindings } = await tables.add(reader, source, redactor);
      if (!hasFindings) output.note(`${source}: too large for findings; the other tables have it`);
    });
    const sums = await tables.finish();
    output.event({ event: 'done', format: 'parquet', out, ...sums });
    output.say(`${out}: ${counted(sums.exchanges, 'exchange')}, ${counted(sums.findings, 'finding')}`);
    return faults === 0 ? 0 : 1;
  } catch (error) {
    await tables.discard();
    throw error;
  }
}

async function toCollector(
  { sources, to, filter, unsampled }: Otlp,
  output: Output,
  signal: AbortSignal,
): Promise<0 | 1> {
  const ending = new AbortController();
  const collector = new Collector(to, process.env, {
    attempts: ATTEMPTS,
    onRetry: ({ problem, attempt, pause }) =>
      output.note(`${to}: ${problem}; attempt ${attempt + 1} of ${ATTEMPTS} in ${pause / 1000} s`),
    // The rest is only counted.
    onGaveUp: () => ending.abort(),
  });
  const compiled = compileFilter(filter);
  const matches = compiled.ok ? compiled.matches : () => true;
  const wanted = { since: null, unsampled, matches, mostBehind: Number.POSITIVE_INFINITY };
  const until = AbortSignal.any([signal, ending.signal]);
  const sums = { exported: 0, dropped: 0 };
  let problem: string | null = null;
  const faults = await eachSource(sources, output, signal, async ({ reader }) => {
    const sending = new SessionExport(reader, { collector, version: VERSION, ...wanted });
    await sending.sendAll(until);
    sums.exported += sending.counts.exported;
    sums.dropped += sending.counts.dropped;
    const untimed = sending.untimed();
    if (untimed > 0) output.note(`${to}: ${counted(untimed, 'exchange')} without times left out`);
    if (sums.dropped > 0) problem ??= collector.problem;
    if (until.aborted) return;
    await sending.sendMetrics(until);
    if (collector.problem !== null && sums.dropped === 0)
      output.note(`${to}: the metrics are missing: ${collector.problem}`);
  });
  reportSent(to, sums, problem ?? (signal.aborted ? 'the export was cancelled' : 'it refused them'), output);
  return faults === 0 ? 0 : 1;
}

/** Throws `otlp.export-incomplete`, with `problem`, if exchanges are missing. */
function reportSent(to: string, sums: ExportCounts, problem: string, output: Output): void {
  output.event({ event: 'done', format: 'otlp', to, ...sums });
  output.say(`${to}: ${counted(sums.exported, 'exchange')} exported`);
  if (sums.dropped === 0) return;
  throw roundtripError('otlp.export-incomplete', {
    ...{ url: to, exported: sums.exported, missing: sums.dropped },
    detail: problem,
  });
}

/**
 * Exports sources for a warehouse (Parquet) or to a collector. Returns the exit code: 1 if a part of an imported SOURCE
 * could not be read. A signal cancels. Rejects as `openSource` does, with `export.failed` or `otlp.export-incomplete`.
 */
export async function exportToWarehouse(command: WarehouseCommand): Promise<0 | 1> {
  const output = new Output(command.json);
  const signal = cancelledBySignal('the export');
  return command.format === 'parquet'
    ? await toParquet(command, output, signal)
    : await toCollector(command, output, signal);
}
