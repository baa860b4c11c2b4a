import fs from 'node:fs';
import type { Entry, Har } from 'har-format';

/** The entries of a HAR file, `GET https://localhost/x 200` each with the entry itself. */
export function harEntries(file: string): { lines: string[]; entries: Entry[] } {
  const { log }: Har = JSON.parse(fs.readFileSync(file, 'utf8'));
  const lines = log.entries.map(({ request, response }) => `${request.method} ${request.url} ${response.status}`);
  return { lines, entries: log.entries };
}
