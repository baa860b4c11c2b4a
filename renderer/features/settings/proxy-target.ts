import type { App } from '../app-context.ts';

/** The default target of a proxy test: the host of the last HTTPS exchange in the list, else example.com. */
export function lastHost(app: App): string {
  const row = app.table.row(app.table.visible.at(-1) ?? 0);
  return row === undefined || row.scheme !== 'https' || row.kind === 'connection' ? 'example.com' : row.authority;
}
