import type { InputOf, OutputOf } from '../../../shared/contract/requests.ts';
import type { RepeatResult } from '../../../shared/model/replay/composed-request.ts';
import { failureOf } from '../../failures/errors.ts';
import { sendMany } from '../services/replay/send-many.ts';
import type { Window } from '../windows.ts';
import type { CommandContext } from './command-context.ts';

/** Results reach the window at most this often, milliseconds: it draws a table and a chart with each. */
const PROGRESS_INTERVAL = 100;

type Send = () => Promise<{ exchange: number; ended: Promise<unknown> }>;

/** The errors of a request that ends after its reply are in its row. */
async function begun(send: Send): Promise<{ exchange: number }> {
  const { exchange, ended } = await send();
  void ended.catch(() => null);
  return { exchange };
}

export function resend(of: InputOf<'replay.resend'>, { host }: CommandContext): Promise<OutputOf<'replay.resend'>> {
  return begun(() => host.replays.resend(of));
}

export function sendRequest(
  { of, request }: InputOf<'replay.send'>,
  { host }: CommandContext,
): Promise<OutputOf<'replay.send'>> {
  return begun(() => host.replays.send(request, of));
}

/** Collects results for a window, and sends them at intervals. */
class Progress {
  readonly #window: Window;
  readonly #run: number;
  #waiting: RepeatResult[] = [];
  #timer: NodeJS.Timeout | undefined;

  constructor(window: Window, run: number) {
    this.#window = window;
    this.#run = run;
  }

  add(result: RepeatResult): void {
    this.#waiting.push(result);
    this.#timer ??= setTimeout(() => this.#tell(false), PROGRESS_INTERVAL);
  }

  over(): void {
    clearTimeout(this.#timer);
    this.#tell(true);
  }

  #tell(over: boolean): void {
    this.#timer = undefined;
    const results = this.#waiting;
    this.#waiting = [];
    this.#window.notify('replay.progress', { run: this.#run, results, over });
  }
}

/** Starts a repetition. It ends when done, by `replay.stop`, with its window, or when the window starts another one. */
export function repeat(
  { run, of, request, pace }: InputOf<'replay.repeat'>,
  { host, window }: CommandContext,
): OutputOf<'replay.repeat'> {
  const stopping = new AbortController();
  window.repeating?.abort();
  window.repeating = stopping;
  const progress = new Progress(window, run);
  const sendOne = async (): Promise<RepeatResult> => {
    try {
      const { ended } = await (request ? host.replays.send(request, of) : host.replays.resend(of));
      const { exchange, status, ttfb, total, failure } = await ended;
      return { exchange, status, ttfb, total, failure: failure?.code ?? null };
    } catch (error) {
      return { exchange: 0, status: 0, ttfb: -1, total: 0, failure: failureOf(error).code };
    }
  };
  const times = Array.from({ length: pace.times }).values();
  void sendMany(times, pace, stopping.signal, async () => progress.add(await sendOne())).finally(() => progress.over());
  return {};
}
