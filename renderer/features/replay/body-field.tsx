import { formatLimit } from '../../../shared/format/sizes.ts';
import {
  COMPOSED_BODY_LIMIT,
  type ComposedBody,
  type ComposedRequest,
} from '../../../shared/model/replay/composed-request.ts';
import { CodeEditor } from '../../ui/code-editor.tsx';
import { Segments } from '../../ui/segments.tsx';
import { languageOfBody } from './compose-draft.ts';

const KINDS: Record<ComposedBody['kind'], string> = { none: 'None', text: 'Text', recorded: 'As recorded' };

interface BodyFieldProps {
  request: ComposedRequest;
  /** Whether there is an exchange whose body can be sent. */
  recorded: boolean;
  /** About the recorded body, or null. */
  note: string | null;
  change: (next: ComposedRequest) => void;
}

/** The body: none, text, or the recorded bytes. */
export function BodyField({ request, recorded, note, change }: BodyFieldProps) {
  const { body } = request;
  const { none, text } = KINDS;
  const tooLong = body.kind === 'text' && body.text.length > COMPOSED_BODY_LIMIT;
  const choose = (kind: ComposedBody['kind']) =>
    change({ ...request, body: kind === 'text' ? { kind, text: '' } : { kind } });
  return (
    <div className="field">
      <div className="compose-body">
        <span>Body</span>
        <Segments
          label="Body"
          options={(recorded ? KINDS : { none, text }) as typeof KINDS}
          value={body.kind}
          onChange={choose}
        />
      </div>
      {note !== null && <small>{note}</small>}
      {body.kind === 'text' && (
        <CodeEditor
          label="Body text"
          language={languageOfBody(request)}
          value={body.text}
          onChange={(next) => change({ ...request, body: { kind: 'text', text: next } })}
        />
      )}
      {tooLong && (
        <small className="problem-text" role="alert">
          The body is longer than {formatLimit(COMPOSED_BODY_LIMIT)}: shorten it, or send it with another program
          through the proxy.
        </small>
      )}
    </div>
  );
}
