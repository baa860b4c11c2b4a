import type { HeldMessage } from '../../../shared/model/rule/held-message.ts';
import { CodeEditor } from '../../ui/code-editor.tsx';
import { type DraftResult, type HeldDraft, languageFor } from './held-draft.ts';

interface HeldFormProps {
  message: HeldMessage;
  /** A response is edited: the message itself, or an answer in place of upstream. */
  isResponse: boolean;
  draft: HeldDraft;
  result: DraftResult;
  onChange: (draft: HeldDraft) => void;
}

/** Request line or status, fields and body of a message. */
export function HeldForm({ message, isResponse, draft, result, onChange }: HeldFormProps) {
  const change = (part: Partial<HeldDraft>) => onChange({ ...draft, ...part });
  const problemOf = (field: string) =>
    !result.ok &&
    result.field === field && (
      <small className="problem-text" role="alert">
        {result.problem}
      </small>
    );
  const what = isResponse ? 'Response' : 'Request';
  return (
    <div className="held-form">
      <div className="held-line">
        {isResponse ? (
          <input
            className="held-method"
            aria-label="Status"
            inputMode="numeric"
            value={draft.status}
            onChange={(event) => change({ status: event.target.value })}
          />
        ) : (
          <>
            <input
              className="held-method"
              aria-label="Method"
              value={draft.method}
              spellCheck={false}
              onChange={(event) => change({ method: event.target.value })}
            />
            <input
              aria-label="URL"
              value={draft.url}
              spellCheck={false}
              onChange={(event) => change({ url: event.target.value })}
            />
          </>
        )}
        {isResponse && <code className="muted held-url">{`${message.method} ${message.url}`}</code>}
      </div>
      {problemOf('method')}
      {problemOf('status')}
      <div className="held-parts">
        <div className="held-part">
          <h3>Headers</h3>
          <textarea
            className="code-input"
            aria-label={`${what} headers`}
            value={draft.headers}
            spellCheck={false}
            onChange={(event) => change({ headers: event.target.value })}
          />
          {problemOf('headers')}
        </div>
        <div className="held-part">
          <h3>Body</h3>
          {draft.body === null ? (
            <p className="muted">The body goes on as it came: {message.bodyProblem ?? 'it is not text'}.</p>
          ) : (
            <CodeEditor
              label={`${what} body`}
              language={languageFor(draft.headers)}
              value={draft.body}
              onChange={(body) => change({ body })}
            />
          )}
        </div>
      </div>
    </div>
  );
}
