import { useEffect, useState } from 'react';
import type { InputOf, OutputOf } from '../../../shared/contract/requests.ts';
import { attempt, useApp } from '../app-context.ts';
import { requestChosen } from './export-choice.ts';

type Preview = OutputOf<'export.preview'>;

/**
 * What redaction replaces. `choose` gives the exchanges when the preview begins, or null for none. The preview begins
 * again with each new `choose`, and ends with the component. Null: not known yet.
 */
export function usePreview(choose: () => InputOf<'export.preview'> | null): Preview | null {
  const app = useApp();
  const [preview, setPreview] = useState<Preview | null>(null);
  useEffect(() => {
    const choice = choose();
    setPreview(null);
    if (choice === null) return;
    let current = true;
    void attempt(app, () => requestChosen(app.api, 'export.preview', choice)).then((found) => {
      if (current && found && !found.stopped) setPreview(found);
    });
    return () => {
      current = false;
      // Nobody waits for the result. If the host can't be reached, there is nothing to stop.
      app.api.request('export.stop-preview', {}).catch(() => null);
    };
  }, [app, choose]);
  return preview;
}
