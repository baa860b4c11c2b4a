import { FileInput } from 'lucide-react';
import { useRef, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { useApp } from '../app-context.ts';
import { importRulesFile } from './rule-actions.ts';

/** Adds the rules of another program's file, and lists the items and parts that have no equivalent. */
export function ImportRules() {
  const app = useApp();
  const input = useRef<HTMLInputElement>(null);
  const [skipped, setSkipped] = useState<readonly string[]>([]);
  const take = async (file: File | undefined) => {
    if (file) setSkipped((await importRulesFile(app, file)) ?? []);
    // The same file can be chosen again.
    if (input.current) input.current.value = '';
  };
  return (
    <>
      {skipped.length > 0 && (
        <div className="problem" role="alert">
          Not imported, or with a difference:
          <ul>
            {skipped.map((line) => (
              <li key={line}>{line}</li>
            ))}
          </ul>
        </div>
      )}
      <input
        ref={input}
        type="file"
        hidden
        accept=".htkrules,.json,.yaml,.yml"
        aria-label="HTTP Toolkit or mitmproxy file"
        onChange={(event) => void take(event.target.files?.[0])}
      />
      <Button
        icon={FileInput}
        title="Add rules from HTTP Toolkit (.htkrules) or mitmproxy (config.yaml)"
        onClick={() => input.current?.click()}
      >
        Import
      </Button>
    </>
  );
}
