import type { RawHeaders } from '../../../../shared/model/headers.ts';
import type { RuleOutcome } from '../../../../shared/model/rule/rule.ts';
import type {
  RunScript,
  ScriptInput,
  ScriptMessage,
  ScriptOutput,
  ScriptRequest,
} from '../../../../shared/model/rule/script-call.ts';
import { describe, failure } from '../../../failures/errors.ts';
import type { RequestHead } from '../../http/message.ts';
import { EDIT_LIMIT, textOf } from '../../rules/body-changes.ts';
import { editedRequest, editedResponse, shownFields, shownUrl } from '../../rules/breaks/held-heads.ts';
import { decodeBody, encodeBody } from '../../rules/codings.ts';
import type { EditableMessage } from '../../rules/messages/stream-part.ts';
import type { PlannedScript } from '../../rules/scripts/loaded-script.ts';
import type { ScriptHost } from '../../rules/scripts/script-host.ts';
import type { RequestEnding, SentRequest, SentResponse } from '../edits/breakpoint.ts';
import type { ExchangeLog } from '../exchange-log.ts';

/** A whole body, and the fields that name its codings. */
export interface CodedBody {
  bytes: Buffer;
  headers: RawHeaders;
}

/** A body as text; null: the script does not get it. */
interface ScriptBody {
  text: string | null;
  bytesOf: (text: string) => Buffer;
}

const NO_BODY: ScriptBody = { text: null, bytesOf: (text) => Buffer.from(text, 'utf8') };

/** Null: the body is unavailable. */
async function bodyFor({ script }: PlannedScript, body: CodedBody | null): Promise<ScriptBody> {
  if (!script.body || body === null) return NO_BODY;
  try {
    return textOf(await decodeBody(body.bytes, body.headers, EDIT_LIMIT));
  } catch {
    return NO_BODY;
  }
}

function requestOf(head: RequestHead, body: string | null): ScriptRequest {
  return { method: head.method, url: shownUrl(head), headers: shownFields(head.headers), body };
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** What scripts report while they run. */
export interface ScriptReports {
  wrote: ScriptHost['wrote'];
  failed(rule: string, detail: string): void;
}

/** Reports to the console, and on the exchange's row. */
export function reportsOn(log: ExchangeLog, wrote: ScriptHost['wrote']): ScriptReports {
  return {
    wrote,
    failed: (rule, detail) => {
      wrote(rule, 'error', detail);
      log.noted(failure('rules.script-failed', { name: rule, detail }));
      const outcome = log.exchange.rules.findLast((each: RuleOutcome) => each.name === rule);
      if (outcome) outcome.problem = `the script failed: ${detail}`;
    },
  };
}

/** Runs the scripts of one exchange's rules. One that fails changes nothing, and its failure is reported. */
export class ScriptStage {
  readonly #runs: RunScript;
  readonly #reports: ScriptReports;

  constructor(run: RunScript, reports: ScriptReports) {
    this.#runs = run;
    this.#reports = reports;
  }

  /** `arrived`: the body of the request; null: not available. Codings are those of the final head. */
  async request(
    scripts: readonly PlannedScript[],
    sent: SentRequest,
    arrived: CodedBody | null,
  ): Promise<RequestEnding> {
    let { head, bytes } = sent;
    for (const planned of scripts) {
      const given = await bodyFor(planned, bytes ? { bytes, headers: head.headers } : arrived);
      const request = requestOf(head, given.text);
      const ending = await this.#run(planned, { hook: 'onRequest', rule: planned.rule, request }, async (output) => {
        if (output.answer) return { answer: { ...output.answer, cors: false } };
        const changed = output.request;
        const next = { head, bytes };
        if (!isSame({ ...changed, body: null }, { ...request, body: null }))
          next.head = editedRequest(head, { how: 'request', ...changed, body: 'kept' });
        if (changed.body !== request.body && changed.body !== null)
          next.bytes = await encodeBody(given.bytesOf(changed.body), next.head.headers);
        return { sent: next };
      });
      if (ending && 'answer' in ending) return ending;
      if (ending) ({ head, bytes } = ending.sent);
    }
    return { sent: { head, bytes } };
  }

  /** The same for a response. `head` of the request: as it went upstream. */
  async response(
    scripts: readonly PlannedScript[],
    request: RequestHead,
    sent: SentResponse,
    arrived: CodedBody | null,
  ): Promise<SentResponse> {
    let { head, bytes } = sent;
    for (const planned of scripts) {
      const given = await bodyFor(planned, bytes ? { bytes, headers: head.headers } : arrived);
      const response = { status: head.status, headers: shownFields(head.headers), body: given.text };
      const input = { hook: 'onResponse' as const, rule: planned.rule, request: requestOf(request, null), response };
      const next = await this.#run(planned, input, async ({ response: changed }) => {
        if (!changed) return null;
        const made = { head, bytes };
        if (!isSame({ ...changed, body: null }, { ...response, body: null }))
          made.head = editedResponse(head, { how: 'response', ...changed, body: 'kept' });
        if (changed.body !== response.body && changed.body !== null)
          made.bytes = await encodeBody(given.bytesOf(changed.body), made.head.headers);
        return made;
      });
      if (next) ({ head, bytes } = next);
    }
    return { head, bytes };
  }

  /** One message of a stream, in `codings`. The new payload; null: it stays; `drop`: it is not sent. */
  async message(
    scripts: readonly PlannedScript[],
    request: RequestHead,
    direction: ScriptMessage['direction'],
    { payload, codings }: EditableMessage,
  ): Promise<Buffer | null | 'drop'> {
    let bytes: Buffer | null = null;
    for (const planned of scripts) {
      const given = await bodyFor(planned, { bytes: bytes ?? payload, headers: codings });
      const input = { hook: 'onMessage' as const, rule: planned.rule, request: requestOf(request, null) };
      const message = { direction, body: given.text };
      const next = await this.#run(planned, { ...input, message }, async ({ message: changed }) => {
        if (changed === null) return 'drop' as const;
        const isSame = changed.body === null || changed.body === given.text;
        return isSame ? null : await encodeBody(given.bytesOf(changed.body ?? ''), codings);
      });
      if (next === 'drop') return next;
      bytes = next ?? bytes;
    }
    return bytes;
  }

  /** Null: the script failed, and the message is unchanged. */
  async #run<T>(
    { rule, script }: PlannedScript,
    input: ScriptInput,
    take: (output: ScriptOutput) => Promise<T>,
  ): Promise<T | null> {
    if (script.problem !== null) return this.#failed(rule, null, script.problem);
    const { outcome, console: lines } = await this.#runs(script.source, input);
    for (const { level, text } of lines) this.#reports.wrote(rule, level, text);
    if (!outcome.ok) return this.#failed(rule, outcome.problem.line, outcome.problem.detail);
    try {
      return await take(outcome.output);
    } catch (error) {
      return this.#failed(rule, null, describe(error));
    }
  }

  #failed(rule: string, line: number | null, detail: string): null {
    const where = line === null ? '' : `line ${line}: `;
    this.#reports.failed(rule, `${where}${detail}`);
    return null;
  }
}
