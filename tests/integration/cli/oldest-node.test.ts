import fs from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { nodeBinary, OLDEST_NODE } from '../../support/cached-packages.ts';
import { httpsOrigin } from '../../support/https-origin.ts';
import { runRoundtrip } from '../../support/roundtrip-cli.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const node = nodeBinary(OLDEST_NODE);

it('the oldest Node that the package allows is the one tested here', () => {
  const { engines } = JSON.parse(fs.readFileSync('package.json', 'utf8')) as { engines: { node: string } };
  expect(`${engines.node.replace('>=', '')}.0`).toBe(OLDEST_NODE);
});

it.skipIf(node === null)(`records, reads, checks and exports on Node ${OLDEST_NODE}`, async () => {
  const folder = temporaryFolder();
  const on = { folder, node: node ?? '' };
  const origin = await httpsOrigin();
  const own = ['--port', '0', '--upstream-ca', origin.caPath, '--session', 's.roundtrip'];
  const client = ['curl', '-sS', '--compressed', origin.url];
  const recorded = await runRoundtrip(['record', ...own, '--', ...client], on);
  expect(recorded).toMatchObject({ exitCode: 0, stdout: 'hello\n' });
  fs.writeFileSync(path.join(folder, 'budget.json'), JSON.stringify({ budget: ['count == 1'] }));
  for (const command of [
    ['sessions', '--json'],
    ['findings', 's.roundtrip', '--json'],
    ['check', 's.roundtrip', '--budget', 'budget.json'],
    ['compare', 's.roundtrip', 's.roundtrip', '--json'],
    ...['har', 'csv', 'curl', 'roundtrip', 'parquet'].map((format) => [
      'export',
      's.roundtrip',
      '--format',
      format,
      '--out',
      `out.${format}`,
    ]),
  ]) {
    const { exitCode, stderr } = await runRoundtrip(command, on);
    expect({ command, exitCode, stderr }).toMatchObject({ command, exitCode: 0 });
    expect(stderr).not.toContain('Warning');
  }
});
