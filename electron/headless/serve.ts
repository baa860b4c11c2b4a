import { finish, GRACE, harLine, keptIn, reportLosses, withHost } from './finish.ts';
import { Output } from './output.ts';
import type { ProxyOptions } from './proxy/proxy-options.ts';
import { dieBy, untilSignal } from './signals.ts';
import { type StartedHost, startHost } from './start-host.ts';
import { checkHarPlace } from './write-har.ts';

/** Runs proxy and UI until SIGINT, SIGTERM or SIGHUP. `open`: a file to show in the UI. Returns the exit code. */
export async function serve(options: ProxyOptions, open: string | null = null): Promise<number> {
  const output = new Output(options.json);
  let session: string | null = null;
  const stopped = untilSignal((signal) =>
    dieBy(signal, `roundtrip: ended by the second signal.${session ? keptIn(session) : ''}`),
  );
  const stopping = new AbortController();
  void stopped.then(() => stopping.abort());
  if (options.har !== null) await checkHarPlace(options.har, options.session);
  const started = await startHost(options, output);
  session = started.session;
  return await withHost(started, async () => {
    const { proxyUrl, web, authority, host } = started;
    if (open !== null) await showFile(started, open, output, stopping.signal);
    output.say(
      `Roundtrip is running. Ctrl+C ends it.\n  Proxy  ${proxyUrl}\n  UI     ${web.url}\n  CA     ` +
        `${authority.certificatePath}`,
    );
    for (const { url, origin } of host.runtime.status().reverse) output.say(`  Reverse  ${url} answers as ${origin}`);
    await stopped;
    if (options.har === null) {
      await started.host.stopProxy(GRACE);
      return await reportLosses(null, started, output);
    }
    const finished = await finish(started, options.har, output);
    output.say(harLine(options.har, finished));
    return await reportLosses(options.har, started, output, finished);
  });
}

/** Rejects with the failure of opening; the host is then closed. An import that the signal cancels is none. */
async function showFile({ host }: StartedHost, file: string, output: Output, signal: AbortSignal): Promise<void> {
  try {
    const { session, faults } = await host.home.openAny(file, () => undefined, signal);
    for (const fault of faults) output.fault(`${file}: ${fault}`);
    output.event({ event: 'opened', session: session.path, exchanges: session.exchanges, pid: process.pid });
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}
