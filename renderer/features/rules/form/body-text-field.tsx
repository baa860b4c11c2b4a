import { useState } from 'react';
import { Button } from '../../../ui/button.tsx';
import { CodeEditor } from '../../../ui/code-editor.tsx';
import { Segments } from '../../../ui/segments.tsx';
import { type FieldsFault, jsonIn } from './action-text.ts';

const MODES = { json: 'JSON', html: 'HTML', text: 'Text' } as const;
type Mode = keyof typeof MODES;

/** What a body is, by its media type, or by how it begins. */
export function modeOf(fields: string, body: string): Mode {
  const type = /"content-type"\s*,\s*"([^"]*)"/i.exec(fields)?.[1] ?? '';
  if (/json/i.test(type)) return 'json';
  if (/html|xml/i.test(type)) return 'html';
  if (type !== '') return 'text';
  if (/^\s*[{[]/.test(body)) return 'json';
  return /^\s*</.test(body) ? 'html' : 'text';
}

interface BodyTextFieldProps {
  label: string;
  /** The action's other fields, which may name a media type. */
  fields: string;
  body: string;
  set: (body: string) => void;
}

/** A body that a rule sends. The mode colours it, and does not change what is sent. */
export function BodyTextField({ label, fields, body, set }: BodyTextFieldProps) {
  const [chosen, choose] = useState<Mode | null>(null);
  const mode = chosen ?? modeOf(fields, body);
  const fault = mode === 'json' && body.trim() !== '' ? faultOf(body) : null;
  const tidy = mode === 'json' && fault === null && body.trim() !== '' ? tidied(body) : body;
  return (
    <>
      <div className="action-part">
        <span>Body</span>
        <Segments label={`${label} shown as`} options={MODES} value={mode} onChange={choose} />
        {tidy !== body && (
          <Button tone="quiet" onClick={() => set(tidy)}>
            Format
          </Button>
        )}
      </div>
      <CodeEditor
        label={label}
        language={mode}
        value={body}
        fewestLines={8}
        faultLine={fault?.line ?? null}
        onChange={set}
      />
      {fault && <small className="warn-text">{fault.message} Sent as is.</small>}
    </>
  );
}

function faultOf(body: string): FieldsFault | null {
  try {
    jsonIn(body);
    return null;
  } catch (error) {
    return error as FieldsFault;
  }
}

function tidied(body: string): string {
  return JSON.stringify(JSON.parse(body), null, 2);
}
