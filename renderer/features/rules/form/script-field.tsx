import { useState } from 'react';
import { CodeEditor } from '../../../ui/code-editor.tsx';
import { useCompileFault, useLastFailure } from './use-script-fault.ts';

interface ScriptFieldProps {
  label: string;
  code: string;
  set: (code: string) => void;
  /** The rule's name as it was saved: its script may have failed before. */
  rule: string;
}

/** The script of a rule, with the faulty line: the one that does not compile, or where it last failed. */
export function ScriptField({ label, code, set, rule }: ScriptFieldProps) {
  const [before] = useState(code);
  const compile = useCompileFault(code);
  const failure = useLastFailure(rule, code !== before);
  const fault = compile ?? failure;
  return (
    <>
      <CodeEditor label={label} language="javascript" value={code} faultLine={fault?.line ?? null} onChange={set} />
      {fault ? (
        <small className="problem-text" role="alert">
          {compile ? '' : 'It failed when it last ran. '}
          {fault.line !== null && `Line ${fault.line}: `}
          {fault.text}
        </small>
      ) : (
        <small>JavaScript with onRequest, onResponse or onMessage. console.log writes to the script console.</small>
      )}
    </>
  );
}
