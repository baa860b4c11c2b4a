import type { ProxyOptions } from './options.ts';
import { Output } from './output.ts';
import { untilSignal } from './signals.ts';
import { startHost } from './start-host.ts';
import { writeHar } from './write-har.ts';

/** What exchanges under way get to end once the proxy is told to stop; milliseconds. */
export const GRACE = 2000;

/** Proxy and UI until SIGINT or SIGTERM. Gives the exit code. */
export async function serve(options: ProxyOptions): Promise<number> {
  const output = new Output(options.json);
  const stopped = untilSignal(() => process.exit(1));
  const { host, web, proxyUrl, authority } = await startHost(options, output);
  output.say(
    `Roundtrip is running. Ctrl+C ends it.\n  Proxy  ${proxyUrl}\n  UI     ${web.url}\n  CA     ${authority.certificatePath}`,
  );
  await stopped;
  await host.stopProxy(GRACE);
  if (options.har !== null) {
    const { exchanges, failed } = await writeHar(host, options.har);
    output.say(`${options.har}: ${exchanges} exchanges, ${failed} failed`);
    output.event({ event: 'done', har: options.har, exchanges, failed });
  }
  await host.close(0);
  await web.close();
  return 0;
}
