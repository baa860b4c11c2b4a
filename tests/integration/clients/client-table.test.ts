import fs from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { NO_OVERRIDE } from '../../../shared/model/settings.ts';
import { listedClients } from '../../support/clients/clients.ts';
import { type LaunchFolders, launchedEnvironment, launchFolders, runLaunched } from '../../support/launched-client.ts';
import { loopbackOrigins } from '../../support/loopback-origins.ts';

interface Row {
  captured: string;
  trusted: string;
  loopback: string;
}

/** The table of docs/connect.md, by its first column. */
function documented(): Map<string, Row> {
  const text = fs.readFileSync(path.resolve(import.meta.dirname, '../../../docs/connect.md'), 'utf8');
  const [, table = ''] = text.split(/^\| client \|.*\n\| --- .*\n/m);
  const rows = table.slice(0, table.indexOf('\n\n')).split('\n');
  return new Map(
    rows.map((row) => {
      const [, name = '', captured = '', trusted = '', loopback = ''] = row.split('|').map((cell) => cell.trim());
      return [name, { captured, trusted, loopback }];
    }),
  );
}

let folders: LaunchFolders;

beforeAll(async () => {
  folders = await launchFolders();
  return folders.remove;
});

/** The behaviour of a program that is launched without flags: only the engine can resolve `client.test`. */
async function observed(command: (url: string) => readonly string[]): Promise<Row> {
  const origins = await loopbackOrigins();
  const { through } = origins;
  through.apply({
    upstreamCaFiles: [origins.caPath],
    hostOverrides: [{ ...NO_OVERRIDE, host: 'client.test', address: '127.0.0.1' }],
  });
  const env = await launchedEnvironment(through, folders);
  const arrives = async (url: string): Promise<string> => {
    const text = await runLaunched(command(url), env).catch(() => '');
    return text.includes('path /') ? 'yes' : 'no';
  };
  const named = (url: string): string => url.replace('localhost', 'client.test');
  const captured = await arrives(named(origins.plain));
  const trusted = captured === 'yes' ? await arrives(named(origins.secure)) : '-';
  const before = through.seen.started;
  expect(await arrives(origins.plain)).toBe('yes');
  return { captured, trusted, loopback: through.seen.started > before ? 'yes' : 'no' };
}

describe('the table of clients in docs/connect.md', () => {
  const rows = documented();

  for (const { name, command } of listedClients()) {
    it.skipIf(command === null)(`is correct about ${name}`, async () => {
      expect(rows.get(name)).toEqual(await observed(command ?? (() => [])));
    });
  }

  it('has no untested row', () => {
    expect([...rows.keys()].sort()).toEqual(
      listedClients()
        .map(({ name }) => name)
        .sort(),
    );
  });
});
