import { useWindow } from '../app-context.ts';

/** What could not be read of the shown session. */
export function SessionNotice() {
  const notice = useWindow(({ opened, shown }) => opened.find(({ id }) => id === shown)?.notice ?? null);
  return notice === null ? null : (
    <div className="banner warn" role="status">
      {notice}
    </div>
  );
}
