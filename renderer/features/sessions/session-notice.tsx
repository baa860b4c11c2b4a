import { useWindow } from '../app-context.ts';

/** What of the shown session could not be read. */
export function SessionNotice() {
  const notice = useWindow(({ opened, shown }) => opened.find(({ id }) => id === shown)?.notice ?? null);
  return notice === null ? null : (
    <div className="banner warn" role="status">
      {notice}
    </div>
  );
}
