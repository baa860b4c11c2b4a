import type { HeldMessage } from '../../../shared/model/rule/held-message.ts';
import { CodeEditor } from '../../ui/code-editor.tsx';
import { type DraftResult, type HeldDraft, languageFor } from './held-draft.ts';

interface HeldFormProps {
  message: HeldMessage;
  /** A response is edited: the message itself, or an answer in place of upstream. */
  isResponse: boolean;
  draft: HeldDraft;
  /** Of the current draft; it names the invalid field. */
  result: DraftResult;
  onChange: (draft: HeldDraft) => void;
}

/**
 * Request line or status, fields and body of a message. A problem stands at its field, and its `alert` role makes
 * screen readers read it without moving the focus (WCAG 4.1.3).
 */
export function HeldForm({ message, isResponse, draft, result, onChange }: HeldFormProps) {
  const change = (part: Partial<HeldDraft>) => onChange({ ...draft, ...part });
  const problemOf = (field: string) =>
    !result.ok &&
    result.field === field && (
      <small className="problem-text" role="alert">
        {result.problem}
      </small>
    );
  const isMessage = message.side === 'message';
  const what = isMessage ? 'Message' : isResponse ? 'Response' : 'Request';
  return (
    <div className="held-form">
      {!isMessage && <HeldLine message={message} isResponse={isResponse} draft={draft} change={change} />}
      {problemOf('method')}
      {problemOf('status')}
      <div className={isMessage ? 'held-parts alone' : 'held-parts'}>
        {!isMessage && (
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
        )}
        <HeldBody label={`${what} body`} message={message} draft={draft} change={change} />
      </div>
    </div>
  );
}

/** `label`: the accessible name, which names the body's message. */
interface HeldBodyProps extends Pick<HeldFormProps, 'message' | 'draft'> {
  label: string;
  change: (part: Partial<HeldDraft>) => void;
}

/** The body's editor, or the reason why there is none. */
function HeldBody({ label, message, draft, change }: HeldBodyProps) {
  return (
    <div className="held-part">
      <h3>Body</h3>
      {draft.body === null ? (
        <p className="muted">The body passes unchanged: {message.bodyProblem ?? 'it is not text'}.</p>
      ) : (
        <CodeEditor
          label={label}
          language={languageFor(draft.headers, message.side)}
          value={draft.body}
          onChange={(body) => change({ body })}
        />
      )}
    </div>
  );
}

interface HeldLineProps extends Pick<HeldFormProps, 'message' | 'isResponse' | 'draft'> {
  change: (part: Partial<HeldDraft>) => void;
}

/** The request line, or the status and what it answers. */
function HeldLine({ message, isResponse, draft, change }: HeldLineProps) {
  const field = (label: string, name: 'method' | 'url' | 'status', className: string) => (
    <input
      className={className}
      aria-label={label}
      value={draft[name]}
      spellCheck={false}
      onChange={(event) => change({ [name]: event.target.value })}
    />
  );
  return (
    <div className="held-line">
      {isResponse ? (
        <>
          {field('Status', 'status', 'held-method')}
          <code className="muted held-url">{`${message.method} ${message.url}`}</code>
        </>
      ) : (
        <>
          {field('Method', 'method', 'held-method')}
          {field('URL', 'url', '')}
        </>
      )}
    </div>
  );
}
