import path from 'node:path';
import { fileProblem } from '../files/file-problem.ts';
import { clientEnvironment } from '../system/launch/client-environment.ts';
import { finish, harLine, keptIn, reportLosses, withHost } from './finish.ts';
import { readBudget } from './insight/budget-reader.ts';
import { checkAgainst } from './insight/check.ts';
import { Output } from './output.ts';
import type { ProxyOptions } from './proxy/proxy-options.ts';
import { type RunningCommand, runCommand } from './run-command.ts';
import { dieBy, untilSignal } from './signals.ts';
import { type StartedHost, startHost } from './start-host.ts';
import { checkHarPlace, defaultHarPath } from './write-har.ts';

/** Printed if a command sent no request, or only requests that bypassed the proxy. */
const NOTHING_CAPTURED =
  'roundtrip: the command sent nothing through the proxy. It may ignore the proxy variables, set its own, or skip ' +
  'them for loopback (Go does); see docs/connect.md.';

/** A check without baselines and files. */
const ALONE = { baselines: [], junit: null, html: null };

/** Standard error: with `--json`, a command's own standard output must not mix with the JSON lines. */
const STDERR = 2;

async function variablesFor(started: StartedHost, { dataFolder }: ProxyOptions): Promise<Record<string, string>> {
  const { proxyUrl, authority } = started;
  try {
    return await clientEnvironment({
      proxyUrl,
      caPath: authority.certificatePath,
      dataFolder,
      bundleFolder: __dirname,
    });
  } catch (error) {
    const detail = fileProblem(error, path.join(dataFolder, 'file'));
    throw new Error(`The files for the command could not be written in ${dataFolder}: ${detail}.`);
  }
}

/** Forwards a signal to the command. A recording ended by a signal ended as intended: the exit code is 0. */
async function exitCodeOf(command: RunningCommand, stopped: Promise<NodeJS.Signals>): Promise<number> {
  let interrupted = false;
  void stopped.then((signal) => {
    interrupted = true;
    command.kill(signal);
  });
  const exitCode = await command.exitCode;
  return interrupted ? 0 : exitCode;
}

/** One recording, from its first signal handler to the exit code. */
class Recording {
  readonly #options: ProxyOptions;
  readonly #output: Output;
  readonly #stopped = untilSignal((signal) => this.#endAtOnce(signal));
  #command: RunningCommand | null = null;
  #session: string | null = null;

  constructor(options: ProxyOptions) {
    this.#options = options;
    this.#output = new Output(options.json);
  }

  async run(run: readonly string[]): Promise<number> {
    const har = this.#options.har ?? defaultHarPath(new Date());
    await checkHarPlace(har, this.#options.session);
    const budget = this.#options.budget === null ? null : readBudget(this.#options.budget);
    const started = await startHost(this.#options, this.#output);
    this.#session = started.session;
    return await withHost(started, async () => {
      this.#output.note(`roundtrip: recording at ${started.proxyUrl}, shown at ${started.web.url}`);
      const exitCode = run.length > 0 ? await this.#follow(run, started) : await this.#stopped.then(() => 0);
      let overBudget: 0 | 1 = 0;
      const finished = await finish(started, har, this.#output, async (session) => {
        const print = (line: string) => this.#output.note(`roundtrip: ${line.trim()}`);
        if (budget !== null)
          overBudget = await checkAgainst({ ...ALONE, sources: [session] }, budget, this.#output, print);
      });
      this.#output.note(`roundtrip: ${harLine(har, finished)}`);
      if (finished.exchanges === 0 && run.length > 0) this.#output.note(NOTHING_CAPTURED);
      return (await reportLosses(har, started, this.#output, finished)) || exitCode || overBudget;
    });
  }

  async #follow(run: readonly string[], started: StartedHost): Promise<number> {
    const variables = await variablesFor(started, this.#options);
    const command = runCommand(run, variables, this.#output.json ? STDERR : 'inherit');
    this.#command = command;
    const exitCode = await exitCodeOf(command, this.#stopped);
    const problem = command.problem();
    if (problem !== null) process.stderr.write(`roundtrip: ${run[0]} could not be run: ${problem}\n`);
    return exitCode;
  }

  /** A second signal kills a command that survived the first, and the recording is finished; without one it ends us. */
  #endAtOnce(signal: NodeJS.Signals): void {
    if (this.#command?.isRunning()) this.#command.kill('SIGKILL');
    else dieBy(signal, `roundtrip: ended by the second signal.${this.#session ? keptIn(this.#session) : ''}`);
  }
}

/** Records until the command ends, or without a command until a signal; then writes the HAR. Returns the exit code. */
export async function record(options: ProxyOptions, run: readonly string[]): Promise<number> {
  return await new Recording(options).run(run);
}
