import { useEffect, useState } from 'react';
import { IS_DESKTOP, pathOfFile } from '../../platform/desktop.ts';
import { showToast } from '../../state/window-state.ts';
import { type App, useApp } from '../app-context.ts';
import { importFiles } from './import-actions.ts';

/** The host reads files by their paths, which only the desktop app's window gets. */
function open(app: App, files: readonly File[]): void {
  const paths = files.map(pathOfFile).filter((path) => path !== null);
  if (paths.length > 0) {
    app.store.setState({ panel: 'sessions' });
    void importFiles(app, paths);
    return;
  }
  showToast(app.store, {
    tone: 'error',
    code: null,
    message: 'Browsers hide the path of a dropped file. Enter it in the sessions dialog.',
    link: null,
    action: { label: 'Sessions', run: () => app.store.setState({ panel: 'sessions' }) },
  });
}

/** Dragged text and links are left to the page. */
function hasFiles({ dataTransfer }: DragEvent): boolean {
  return dataTransfer?.types.includes('Files') ?? false;
}

/** Opens the files that are dropped anywhere on the window, in the sessions dialog. Visible while files are dragged. */
export function DropTarget() {
  const app = useApp();
  const [over, setOver] = useState(false);
  useEffect(() => {
    const controller = new AbortController();
    const on = (name: 'dragover' | 'dragleave' | 'drop', handle: (event: DragEvent) => void) =>
      window.addEventListener(name, (event) => hasFiles(event) && handle(event), { signal: controller.signal });
    on('dragover', (event) => {
      // Otherwise the drop would not be ours, and the page would be replaced by the file.
      event.preventDefault();
      setOver(true);
    });
    // Without a related target the pointer has left the window.
    on('dragleave', ({ relatedTarget }) => setOver(relatedTarget !== null));
    on('drop', (event) => {
      event.preventDefault();
      setOver(false);
      open(app, [...(event.dataTransfer?.files ?? [])]);
    });
    return () => controller.abort();
  }, [app]);
  return over ? (
    <div className="drop-target" role="status">
      <div>
        <b>{IS_DESKTOP ? 'Drop to open' : 'A browser can’t open dropped files'}</b>
        <small>
          {IS_DESKTOP ? '.roundtrip, .har, .chlsj, .saz or .flow' : 'Enter the file’s path in the sessions dialog'}
        </small>
      </div>
    </div>
  ) : null;
}
