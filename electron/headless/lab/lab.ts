import { counted } from '../../../shared/format/counts.ts';
import {
  FEWEST_LAB_RUNS,
  type LabCell,
  type LabProgress,
  type LabResult,
  VARIANT_NAMES,
} from '../../../shared/model/lab/lab-result.ts';
import { labReport } from '../../lab/report/lab-report.ts';
import { runLab } from '../../lab/run-lab.ts';
import { Output } from '../output.ts';
import { dieBy, untilSignal } from '../signals.ts';
import type { LabCommand } from './lab-options.ts';
import { checkReport, writeReport } from './write-report.ts';

function progressLine({ done, total, next }: LabProgress): string {
  const now = next === null ? '' : `: ${VARIANT_NAMES[next.variant]} at ${next.rtt} ms`;
  return `roundtrip: load ${Math.min(done + 1, total)} of ${total}${now}`;
}

function rowOf({ variant, rtt, time, times, ttfb, requests, connections }: LabCell): string {
  const interval = times.length < FEWEST_LAB_RUNS ? ['-', '-'] : [time.low, time.high];
  const figures = [rtt, time.median, ...interval, ttfb, requests, connections];
  const cells = figures.map((one) => String(typeof one === 'number' ? Math.round(one) : one).padStart(9));
  return `${VARIANT_NAMES[variant].padEnd(32)}${cells.join('')}`;
}

const HEADINGS = ['rtt ms', 'load ms', 'low', 'high', 'ttfb ms', 'requests', 'conns'];

function linesOf({ page, browser, cells, savings, notes }: LabResult): string[] {
  return [
    `${page.url}: ${counted(page.responses, 'response')} of ${counted(page.origins, 'origin')}, replayed to ${browser}`,
    '',
    `${'variant'.padEnd(32)}${HEADINGS.map((heading) => heading.padStart(9)).join('')}`,
    ...cells.map(rowOf),
    '',
    ...savings.map(({ sentence }) => `${sentence}.`),
    ...(notes.length > 0 ? ['', ...notes] : []),
  ];
}

/** Replays a page of a session and prints the comparison. Returns the exit code; rejects as `runLab` does. */
export async function lab(command: LabCommand): Promise<0> {
  const output = new Output(command.json);
  const stopping = new AbortController();
  // The first signal cancels the run; after the second, the browser ends with our pipe to it.
  const first = untilSignal((signal) => dieBy(signal, 'roundtrip: ended by the second signal.'));
  void first.then((signal) => stopping.abort(new Error(`ended by ${signal}`)));
  const onProgress = (progress: LabProgress): void => {
    if (progress.next !== null) output.note(progressLine(progress));
  };
  if (command.html !== null) await checkReport(command.html);
  const result = await runLab(command.source, command, onProgress, stopping.signal);
  if (command.html !== null) await writeReport(command.html, labReport(result));
  output.event({ ...result });
  for (const line of linesOf(result)) output.say(line);
  return 0;
}
