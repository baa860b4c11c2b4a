import type { Host } from '../../commands/host.ts';

/** Whether this is a trace's address by the settings: the only one that a page may open, in the system's browser. */
export function isTraceAddress(url: string, { settings }: Pick<Host, 'settings'>): boolean {
  const { traceLink } = settings.current().otlp;
  const [before = '', after] = traceLink.split('{traceId}');
  if (after === undefined || !/^https?:\/\//i.test(before)) return false;
  return url.startsWith(before) && url.endsWith(after);
}
