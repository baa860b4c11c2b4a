import { clientEnvironment } from '../system/client-environment.ts';
import type { ProxyOptions } from './options.ts';
import { Output } from './output.ts';
import { type RunningCommand, runCommand } from './run-command.ts';
import { GRACE } from './serve.ts';
import { untilSignal } from './signals.ts';
import { type StartedHost, startHost } from './start-host.ts';
import { defaultHarPath, writeHar } from './write-har.ts';

/** The capture check of a command: it asked for nothing, or it went past us. */
const NOTHING_CAPTURED =
  'roundtrip: the command sent nothing through the proxy. It may ignore the proxy variables, set its own, or go past them to loopback (Go does); docs/connect.md says what to do.';

/** Standard error, for a command whose own standard output is not to come between the JSON lines. */
const STDERR = 2;

async function startCommand(run: readonly string[], started: StartedHost, options: ProxyOptions) {
  const variables = await clientEnvironment({
    proxyUrl: started.proxyUrl,
    caPath: started.authority.certificatePath,
    dataFolder: options.dataFolder,
    bundleFolder: __dirname,
  });
  return runCommand(run, variables, options.json ? STDERR : 'inherit');
}

/** A signal is the command's too; it ends by it, or by the second one. */
async function exitCodeOf(command: RunningCommand, stopped: Promise<NodeJS.Signals>): Promise<number> {
  const interrupted = stopped.then(async (signal) => {
    command.kill(signal);
    await command.exitCode;
    return 0;
  });
  return await Promise.race([command.exitCode, interrupted]);
}

/** Records until the command ends, or until a signal where there is none; then writes the HAR. Gives the exit code. */
export async function record(options: ProxyOptions, run: readonly string[]): Promise<number> {
  const output = new Output(options.json);
  let command: RunningCommand | null = null;
  const stopped = untilSignal(() => (command === null ? process.exit(1) : command.kill('SIGKILL')));
  const started = await startHost(options, output);
  output.note(`roundtrip: recording at ${started.proxyUrl}, shown at ${started.web.url}`);
  let exitCode = 0;
  if (run.length > 0) {
    command = await startCommand(run, started, options);
    exitCode = await exitCodeOf(command, stopped);
    const problem = command.problem();
    if (problem !== null) process.stderr.write(`roundtrip: ${run[0]} could not be run: ${problem}\n`);
  } else await stopped;
  const exchanges = await finish(options, started, output);
  if (exchanges === 0 && run.length > 0) output.note(NOTHING_CAPTURED);
  return exitCode;
}

/** Gives how many exchanges there were. */
async function finish(options: ProxyOptions, { host, web }: StartedHost, output: Output): Promise<number> {
  await host.stopProxy(GRACE);
  const har = options.har ?? defaultHarPath(new Date());
  const { exchanges, failed } = await writeHar(host, har);
  output.note(`roundtrip: ${har}: ${exchanges} exchanges, ${failed} failed`);
  output.event({ event: 'done', har, exchanges, failed });
  await host.close(0);
  await web.close();
  return exchanges;
}
