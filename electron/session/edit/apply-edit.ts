import type { SessionEdit } from '../../../shared/model/edits/session-edits.ts';
import { clearExchanges, markExchanges, purge, removeExchanges, restoreExchanges } from './edit-session.ts';

/** Applies an edit to a session file. Throws `session.edit-failed`. */
export function applyEdit(path: string, edit: SessionEdit): void {
  switch (edit.kind) {
    case 'remove':
      removeExchanges(path, edit.ids);
      return;
    case 'restore':
      restoreExchanges(path, edit.ranges);
      return;
    case 'mark':
      markExchanges(path, edit.ids, edit.mark);
      return;
    case 'clear': {
      const hidden = clearExchanges(path, edit.upTo);
      // In the background: it may take seconds. Exchanges that it fails to delete stay hidden until the next clear.
      void purge(path, hidden).catch(() => null);
    }
  }
}
