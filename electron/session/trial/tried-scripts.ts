import type { Exchange } from '../../../shared/model/exchange.ts';
import type { RawHeaders } from '../../../shared/model/headers.ts';
import type { Answer } from '../../../shared/model/rule/actions.ts';
import type { Rule } from '../../../shared/model/rule/rule.ts';
import type { RunScript, ScriptHook } from '../../../shared/model/rule/script-call.ts';
import type { TrialLine } from '../../../shared/model/rule/trial.ts';
import { type CodedBody, ScriptStage } from '../../engine/exchange/scripts/script-stage.ts';
import type { RequestHead, ResponseHead } from '../../engine/http/message.ts';
import { isStreamed } from '../../engine/rules/body-changes.ts';
import {
  type LoadedScript,
  loadScript,
  mayHave,
  type PlannedScript,
} from '../../engine/rules/scripts/loaded-script.ts';
import type { TriedBody } from './tried-body.ts';

/** Lines of the console that a hit shows, and characters of one. */
const LINES = 20;
const LINE_LENGTH = 500;

interface TriedMessage<H> {
  head: H;
  body: TriedBody;
}

function arrived({ before, headers }: TriedBody): CodedBody | null {
  return before && { bytes: before, headers };
}

/** Runs the scripts of one rule on the messages of one exchange, as the engine would. */
export class TriedScripts {
  readonly #rule: string;
  readonly #scripts: readonly LoadedScript[];
  readonly #stage: ScriptStage;
  readonly console: TrialLine[] = [];
  /** Why a script changed nothing, as part of a sentence; null: all ran. */
  problem: string | null = null;

  constructor({ name, do: actions }: Rule, run: RunScript) {
    this.#rule = name;
    this.#scripts = actions.flatMap((action) => ('script' in action ? [loadScript(action.script)] : []));
    this.#stage = new ScriptStage(run, {
      wrote: (_rule, level, text) => {
        if (this.console.length < LINES) this.console.push({ level, text: text.slice(0, LINE_LENGTH) });
      },
      failed: (_rule, detail) => {
        this.problem ??= `the script failed: ${detail}`;
      },
    });
  }

  /** The request after the scripts, or the response that one of them returned. */
  async request({ head, body }: TriedMessage<RequestHead>): Promise<TriedMessage<RequestHead> | { answer: Answer }> {
    const scripts = this.#with('onRequest', head.headers, body);
    if (scripts.length === 0) return { head, body };
    const ending = await this.#stage.request(scripts, { head, bytes: body.after }, arrived(body));
    if ('answer' in ending) return ending;
    return 'sent' in ending ? { head: ending.sent.head, body: { ...body, after: ending.sent.bytes } } : { head, body };
  }

  /** `request`: as it would go upstream. */
  async response(
    request: RequestHead,
    { head, body }: TriedMessage<ResponseHead>,
  ): Promise<TriedMessage<ResponseHead>> {
    const scripts = this.#with('onResponse', head.headers, body);
    if (scripts.length === 0) return { head, body };
    const sent = await this.#stage.response(scripts, request, { head, bytes: body.after }, arrived(body));
    return { head: sent.head, body: { ...body, after: sent.bytes } };
  }

  /** Scripts get messages of streams one by one, which a trial does not repeat. */
  skipMessages({ kind, response }: Exchange): void {
    const isStream = kind === 'upgrade' || (response !== null && isStreamed(response.headers));
    if (isStream && this.#scripts.some((script) => mayHave(script, 'onMessage')))
      this.problem ??= 'onMessage was not tried: a trial does not repeat the messages of a stream';
  }

  /** Without a body that it needs, a script would behave differently from live traffic. */
  #with(hook: ScriptHook, headers: RawHeaders, { before }: TriedBody): PlannedScript[] {
    const scripts = this.#scripts.filter((script) => mayHave(script, hook));
    const isMissing = before === null && !isStreamed(headers) && scripts.some(({ body }) => body);
    if (isMissing) this.problem ??= `${hook} was not tried: the body is large, or was not recorded`;
    return isMissing ? [] : scripts.map((script) => ({ rule: this.#rule, script }));
  }
}
