import { useState } from 'react';
import type { ImportState } from '../../state/window-state.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { useApp, useWindow } from '../app-context.ts';
import { cancelImport, importFiles } from './import-actions.ts';
import { baseName } from './session-name.ts';

/**
 * Opens or imports the file at a path of the host's machine, and shows the import that runs or left something out. It
 * is a form, in which Enter opens the file too.
 */
export function ImportForm() {
  const app = useApp();
  const importing = useWindow((state) => state.importing);
  const [path, setPath] = useState('');
  const ready = importing?.running !== true && path.trim() !== '';
  const open = () => void importFiles(app, [path.trim()]);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (ready) open();
      }}
    >
      <TextField label="Open or import a file" value={path} spellCheck={false} set={setPath}>
        <small>A path on Roundtrip’s machine: .roundtrip, .har, .chlsj, .saz or .flow</small>
      </TextField>
      {importing?.running && <Progress importing={importing} />}
      {importing && importing.faultCount > 0 && <Faults importing={importing} />}
      <div className="dialog-actions">
        {importing?.running && <Button onClick={() => void cancelImport(app)}>Cancel import</Button>}
        <Button tone="primary" disabled={!ready} onClick={open}>
          Open file
        </Button>
      </div>
    </form>
  );
}

/** Without a value until the size is known. */
function Progress({ importing: { path, read, total } }: { importing: ImportState }) {
  return (
    <div className="import-progress" role="status">
      <span>Reading {baseName(path)}…</span>
      <progress {...(total > 0 && { value: read, max: total })} aria-label="Import progress" />
    </div>
  );
}

/** Equal lines are listed once; the number above counts each. */
function Faults({ importing: { faults, faultCount } }: { importing: ImportState }) {
  const lines = [...new Set(faults)];
  return (
    <div className="import-faults" role="status">
      <b>
        {faultCount.toLocaleString('en')} {faultCount === 1 ? 'part was' : 'parts were'} not imported
      </b>
      <ul>
        {lines.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </div>
  );
}
