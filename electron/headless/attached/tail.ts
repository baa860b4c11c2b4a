import type { InspectorApi } from '../../../shared/contract/inspector-api.ts';
import { compileFilter } from '../../../shared/filter/compile.ts';
import type { ExchangeSummary } from '../../../shared/model/exchange-summary.ts';
import { attach } from '../../attach/attach.ts';
import { FollowedExchanges } from '../../attach/follow-exchanges.ts';
import { localApi } from '../../commands/local-api.ts';
import { roundtripError } from '../../failures/errors.ts';
import { GRACE, reportLosses, withHost } from '../finish.ts';
import { Output } from '../output.ts';
import type { ProxyOptions } from '../proxy/proxy-options.ts';
import { dieBy, untilSignal } from '../signals.ts';
import { startHost } from '../start-host.ts';
import type { TailChoice } from './attached-options.ts';
import { exchangeLine } from './exchange-line.ts';

/** `begun`: called when no exchange can be missed any more, before the first one is printed. */
async function print(api: InspectorApi, filter: string, output: Output, begun?: () => void): Promise<void> {
  const compiled = compileFilter(filter);
  const early: ExchangeSummary[] = [];
  const say = (exchange: ExchangeSummary): void => {
    output.event({ event: 'exchange', ...exchange });
    output.say(exchangeLine(exchange));
  };
  let pass = (exchange: ExchangeSummary): void => void early.push(exchange);
  await FollowedExchanges.follow(api, (exchange) => {
    if (compiled.ok && compiled.matches(exchange)) pass(exchange);
  });
  begun?.();
  pass = say;
  early.forEach(say);
}

/** Resolves when output can no longer be written: `| head`, or a full disk. */
function readerGone(): Promise<void> {
  return new Promise((resolve) => void process.stdout.once('error', () => resolve()));
}

async function tailNew(options: ProxyOptions, filter: string, output: Output): Promise<number> {
  const stopped = untilSignal((signal) => dieBy(signal, 'roundtrip: ended by the second signal.'));
  const started = await startHost(options, output);
  return await withHost(started, async () => {
    output.note(`roundtrip: none was running; started one at ${started.proxyUrl}. Ctrl+C ends it.`);
    await print(localApi(started.host), filter, output);
    await stopped;
    await started.host.stopProxy(GRACE);
    return await reportLosses(null, started, output);
  });
}

/**
 * Prints each exchange of a running or new Roundtrip when it has ended, until a signal. It also ends when its output is
 * closed, unless it started the Roundtrip, which still records. Rejects with `attach.lost` if the other one ends first,
 * and as `attach` does. Returns the exit code.
 */
export async function tail(options: ProxyOptions, { filter, pid }: TailChoice): Promise<number> {
  const output = new Output(options.json);
  const attached = await attach(options.dataFolder, pid);
  if (attached === null) return await tailNew(options, filter, output);
  const stopped = untilSignal(() => undefined);
  const ended = Promise.race([stopped, readerGone()]);
  // A script that reads this line may send its requests at once.
  await print(attached.api, filter, output, () => output.event({ event: 'attached', pid: attached.running.pid }));
  const isLost = await Promise.race([ended.then(() => false), attached.closed.then(() => true)]);
  attached.close();
  if (isLost) throw roundtripError('attach.lost', {});
  return 0;
}
