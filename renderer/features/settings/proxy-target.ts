import type { App } from '../app-context.ts';

/** What is asked for with a test: the host that was seen last, for that is what has to work. */
export function lastHost(app: App): string {
  const row = app.table.row(app.table.visible.at(-1) ?? 0);
  return row === undefined || row.scheme !== 'https' || row.kind === 'connection' ? 'example.com' : row.authority;
}
