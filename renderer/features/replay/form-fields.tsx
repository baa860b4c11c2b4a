import { Plus, X } from 'lucide-react';
import type { FormPart } from '../../../shared/model/replay/composed-request.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { nameOfFile } from './curl/file-name.ts';

/** The first field of a new form. */
export const NEW_PART: FormPart = { kind: 'text', name: '', text: '', type: null };

interface FormFieldsProps {
  parts: readonly FormPart[];
  change: (parts: FormPart[]) => void;
}

/** The fields of a form, in the order in which they are sent. */
export function FormFields({ parts, change }: FormFieldsProps) {
  return (
    <div className="form-parts">
      {[...parts.entries()].map(([at, part]) => (
        // A field has no identity but its place.
        <PartRow
          key={at}
          part={part}
          label={`Field ${at + 1}`}
          change={(next) => change(parts.map((each, index) => (index === at ? next : each)))}
          remove={() => change(parts.filter((_each, index) => index !== at))}
        />
      ))}
      <div>
        <Button icon={Plus} tone="quiet" onClick={() => change([...parts, NEW_PART])}>
          Add a field
        </Button>
      </div>
    </div>
  );
}

interface PartRowProps {
  part: FormPart;
  /** Begins the accessible names: a screen reader reads an input without its row. */
  label: string;
  change: (part: FormPart) => void;
  remove: () => void;
}

function PartRow({ part, label, change, remove }: PartRowProps) {
  const { name, type } = part;
  const choose = (kind: string) =>
    change(
      kind === 'file'
        ? { kind, name, path: '', fileName: null, type: null }
        : { kind: 'text', name, text: '', type: null },
    );
  return (
    <div className="form-part">
      <Text label={`${label}: name`} hint="name" value={name} set={(next) => change({ ...part, name: next })} />
      <select aria-label={`${label}: kind`} value={part.kind} onChange={(event) => choose(event.target.value)}>
        <option value="text">Text</option>
        <option value="file">File</option>
      </select>
      {part.kind === 'text' ? (
        <textarea
          className="code-input"
          aria-label={`${label}: text`}
          rows={Math.min(part.text.split('\n').length, 4)}
          spellCheck={false}
          value={part.text}
          onChange={(event) => change({ ...part, text: event.target.value })}
        />
      ) : (
        <FileOfPart part={part} label={label} change={change} />
      )}
      <Text
        label={`${label}: type`}
        hint="type"
        value={type ?? ''}
        set={(next) => change({ ...part, type: next === '' ? null : next })}
      />
      <IconButton icon={X} label={`${label}: remove`} onClick={remove} />
    </div>
  );
}

interface FileOfPartProps {
  part: Extract<FormPart, { kind: 'file' }>;
  label: string;
  change: (part: FormPart) => void;
}

/** The file name in the form follows the path until the user types another one. */
function FileOfPart({ part, label, change }: FileOfPartProps) {
  const { path, fileName } = part;
  const rename = (next: string) => {
    const follows = fileName === null || fileName === nameOfFile(path);
    change({ ...part, path: next, fileName: follows ? nameOfFile(next) : fileName });
  };
  return (
    <span className="form-file">
      <Text label={`${label}: path`} hint="path of the file" value={path} set={rename} />
      <Text
        label={`${label}: file name`}
        hint="no file name"
        value={fileName ?? ''}
        set={(next) => change({ ...part, fileName: next === '' ? null : next })}
      />
    </span>
  );
}

interface TextProps {
  label: string;
  hint: string;
  value: string;
  set: (text: string) => void;
}

function Text({ label, hint, value, set }: TextProps) {
  return (
    <input
      type="text"
      aria-label={label}
      placeholder={hint}
      spellCheck={false}
      value={value}
      onChange={(event) => set(event.target.value)}
    />
  );
}
