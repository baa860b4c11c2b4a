import { useEffect, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { attempt, useApp } from '../app-context.ts';

/** Opens or imports the file at a path of the host's machine. Closes the dialog unless there are faults to show. */
export function ImportForm({ onDone }: { onDone: () => void }) {
  const app = useApp();
  const [path, setPath] = useState('');
  const [progress, setProgress] = useState<{ read: number; total: number } | null>(null);
  const [faults, setFaults] = useState<{ faults: string[]; faultCount: number } | null>(null);
  useEffect(() => app.api.on('import.progress', setProgress), [app]);
  const run = async () => {
    setFaults(null);
    setProgress({ read: 0, total: 0 });
    const done = await attempt(app, () => app.api.request('sessions.import', { path: path.trim() }));
    setProgress(null);
    if (done?.faultCount === 0) onDone();
    else setFaults(done);
  };
  return (
    <>
      <TextField label="Open or import a file" value={path} spellCheck={false} set={setPath}>
        <small>A path on Roundtrip’s machine: .roundtrip, .har, .chlsj, .saz or .flow</small>
      </TextField>
      {progress && <progress value={progress.read} max={Math.max(1, progress.total)} aria-label="Import progress" />}
      {faults && (
        <div role="status">
          <b>Not imported: {faults.faultCount.toLocaleString('en')}</b>
          {[...new Set(faults.faults)].map((fault) => (
            <small key={fault}>{fault}</small>
          ))}
        </div>
      )}
      <div className="dialog-actions">
        {progress && (
          <Button onClick={() => void attempt(app, () => app.api.request('import.cancel', {}))}>Cancel import</Button>
        )}
        <Button tone="primary" disabled={progress !== null || path.trim() === ''} onClick={() => void run()}>
          Open file
        </Button>
      </div>
    </>
  );
}
