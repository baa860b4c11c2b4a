import { formatLimit } from '../../../shared/format/sizes.ts';
import {
  COMPOSED_BODY_LIMIT,
  type ComposedBody,
  type ComposedRequest,
} from '../../../shared/model/replay/composed-request.ts';
import { CodeEditor } from '../../ui/code-editor.tsx';
import { TextField } from '../../ui/field.tsx';
import { Segments } from '../../ui/segments.tsx';
import { languageOfBody } from './compose-draft.ts';
import { FormFields, NEW_PART } from './form-fields.tsx';

type Kind = ComposedBody['kind'];

const KINDS: Record<Kind, string> = {
  ...{ none: 'None', text: 'Text', form: 'Form', file: 'File', recorded: 'As recorded' },
};

/** A body of this kind without content. */
const EMPTY: Record<Kind, ComposedBody> = {
  none: { kind: 'none' },
  text: { kind: 'text', text: '' },
  form: { kind: 'form', parts: [NEW_PART] },
  file: { kind: 'file', path: '' },
  recorded: { kind: 'recorded' },
};

interface BodyFieldProps {
  request: ComposedRequest;
  /** Whether there is an exchange whose body can be sent. */
  recorded: boolean;
  /** About the recorded body, or null. */
  note: string | null;
  change: (next: ComposedRequest) => void;
}

/** The body: none, text, a form, a file, or the recorded bytes. */
export function BodyField({ request, recorded, note, change }: BodyFieldProps) {
  const { body } = request;
  const { recorded: _recorded, ...written } = KINDS;
  return (
    <div className="field">
      <div className="compose-body">
        <span>Body</span>
        <Segments
          label="Body"
          options={(recorded ? KINDS : written) as typeof KINDS}
          value={body.kind}
          onChange={(kind) => change({ ...request, body: EMPTY[kind] })}
        />
      </div>
      {note !== null && <small>{note}</small>}
      <BodyContent request={request} change={change} />
      {lengthOf(body) > COMPOSED_BODY_LIMIT && (
        <small className="problem-text" role="alert">
          The body is longer than {formatLimit(COMPOSED_BODY_LIMIT)}: shorten it, or send it as a file.
        </small>
      )}
    </div>
  );
}

/** Characters that the window sends to the host. */
function lengthOf(body: ComposedBody): number {
  if (body.kind === 'text') return body.text.length;
  if (body.kind !== 'form') return 0;
  return body.parts.reduce((sum, part) => sum + (part.kind === 'text' ? part.text.length : 0), 0);
}

function BodyContent({ request, change }: Pick<BodyFieldProps, 'request' | 'change'>) {
  const { body } = request;
  const set = (next: ComposedBody) => change({ ...request, body: next });
  if (body.kind === 'text') {
    return (
      <CodeEditor
        label="Body text"
        language={languageOfBody(request)}
        value={body.text}
        onChange={(text) => set({ kind: 'text', text })}
      />
    );
  }
  if (body.kind === 'form') return <FormFields parts={body.parts} change={(parts) => set({ kind: 'form', parts })} />;
  if (body.kind !== 'file') return null;
  return (
    <TextField label="Path of the file" value={body.path} set={(path) => set({ kind: 'file', path })}>
      <small>On the machine that runs Roundtrip. The file is read as the request is sent.</small>
    </TextField>
  );
}
