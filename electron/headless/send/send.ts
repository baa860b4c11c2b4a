import path from 'node:path';
import { compileFilter } from '../../../shared/filter/compile.ts';
import { urlOf } from '../../../shared/format/url.ts';
import type { ExchangeSummary } from '../../../shared/model/exchange-summary.ts';
import type { ReplayResult } from '../../../shared/model/replay/replay-request.ts';
import { summarizeReplays } from '../../../shared/model/replay/replay-summary.ts';
import type { Host } from '../../commands/host.ts';
import { sendMany } from '../../commands/services/replay/send-many.ts';
import { failureOf } from '../../failures/errors.ts';
import { openSource } from '../../session/import/open-source.ts';
import { GRACE } from '../finish.ts';
import { Output } from '../output.ts';
import type { ProxyOptions } from '../proxy/proxy-options.ts';
import { dieBy, untilSignal } from '../signals.ts';
import { openHeadlessHost } from '../start-host.ts';
import { responseLine, summaryLines } from './send-lines.ts';
import type { SendChoice } from './send-options.ts';

const PAGE = 1000;
/** No UI can ask for a file. */
const NO_FILES = { choose: async () => null };

type Row = Pick<ExchangeSummary, 'id' | 'method' | 'scheme' | 'authority' | 'path'>;

/** The matching requests of a session, each `times` in turn. Tunnels, WebSockets and empty connections are not sent. */
async function* chosenRows(host: Host, session: string, { filter, times }: SendChoice): AsyncGenerator<Row> {
  const compiled = compileFilter(filter);
  const matches = compiled.ok ? compiled.matches : () => false;
  const recorded = host.runtime.sessions.of(session);
  let after = 0;
  for (let more = true; more; ) {
    const page = await recorded.page({ after, limit: PAGE });
    for (const row of page.rows.filter((each) => each.kind === 'http' && matches(each)))
      for (let time = 0; time < times; time += 1) yield row;
    after = page.rows.at(-1)?.id ?? after;
    more = page.more;
  }
}

/** Never rejects: a request that can't be sent is a failed one. */
async function sendOne(host: Host, session: string, { id }: Row): Promise<ReplayResult> {
  try {
    const { ended } = await host.replays.resend({ session, exchange: id });
    return await ended;
  } catch (error) {
    return { exchange: 0, status: 0, ttfb: -1, total: 0, failure: failureOf(error), location: null };
  }
}

function report(output: Output, row: Row, result: ReplayResult): void {
  const url = urlOf(row);
  const { exchange, status, ttfb, total, failure } = result;
  output.event({
    ...{ event: 'response', of: row.id, exchange: exchange || null, method: row.method, url },
    ...{ status, ttfb, total, failure: failure && { code: failure.code, message: failure.message } },
  });
  output.say(responseLine(row.method, url, result));
}

/** Returns the number of failed requests. `source`: a session file. */
async function sendAll(
  { host, output }: { host: Host; output: Output },
  source: string,
  choice: SendChoice,
  signal: AbortSignal,
): Promise<number> {
  const { id: session } = await host.runtime.sessions.open(source);
  const results: ReplayResult[] = [];
  const pace = { parallel: choice.parallel, pause: 0, jitter: 0 };
  await sendMany(chosenRows(host, session, choice), pace, signal, async (row) => {
    const result = await sendOne(host, session, row);
    results.push(result);
    report(output, row, result);
  });
  const summary = summarizeReplays(results);
  output.event({ event: 'summary', ...summary });
  for (const line of summaryLines(summary)) output.say(line);
  return summary.failed;
}

async function sendFrom(source: string, choice: SendChoice, options: ProxyOptions, signal: AbortSignal) {
  const output = new Output(options.json);
  const host = await openHeadlessHost(options, output, { refusedAuthorities: [], files: NO_FILES });
  try {
    await host.start();
    const failed = await sendAll({ host, output }, source, choice, signal);
    const { path: recordedIn } = await host.runtime.recorded.info();
    output.say(`Recorded in ${recordedIn}`);
    return failed;
  } finally {
    await host.close(GRACE);
  }
}

/** Sends the requests of a recording again, and records the exchanges. Returns the exit code: 1 if one failed. */
export async function send(choice: SendChoice, options: ProxyOptions): Promise<0 | 1> {
  const stopping = new AbortController();
  const stopped = untilSignal((signal) => dieBy(signal, 'roundtrip: ended by the second signal.'));
  void stopped.then(() => stopping.abort());
  const source = await openSource(path.resolve(choice.source), stopping.signal);
  try {
    return (await sendFrom(source.path, choice, options, stopping.signal)) > 0 ? 1 : 0;
  } finally {
    await source.close();
  }
}
