import fs from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { exampleExchange } from '../../support/example-exchange.ts';
import { record, startRecorder } from '../../support/recording.ts';
import { runRoundtrip } from '../../support/roundtrip-cli.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

async function sessionFile(folder: string, name: string, ...exchanges: [path: string, status: number][]) {
  const recorder = await startRecorder(path.join(folder, name));
  for (const [at, [where, status]] of exchanges.entries()) {
    record(recorder, exampleExchange({ id: at + 1, request: { path: where }, response: { status } }));
  }
  await recorder.close();
}

describe('roundtrip compare', () => {
  it('prints a line for each difference, and JSON on request', async () => {
    const folder = temporaryFolder();
    await sessionFile(folder, 'a.roundtrip', ['/users/1', 200], ['/old', 200], ['/same', 200]);
    await sessionFile(folder, 'b.roundtrip', ['/users/2', 500], ['/same', 200], ['/new', 200]);
    const { exitCode, stdout } = await runRoundtrip(['compare', 'a.roundtrip', 'b.roundtrip'], { folder });
    expect(exitCode).toBe(0);
    expect(stdout.trimEnd().split('\n')).toEqual([
      '- GET https://api.test/old',
      '+ GET https://api.test/new',
      '~ GET https://api.test/users/2: status 200 -> 500',
      '1 added, 1 gone, 1 changed, 1 unchanged',
    ]);
    const json = await runRoundtrip(['compare', 'a.roundtrip', 'b.roundtrip', '--json'], { folder });
    expect(JSON.parse(json.stdout)).toMatchObject({
      added: [{ url: 'https://api.test/new' }],
      gone: [{ url: 'https://api.test/old' }],
      changed: [{ before: { id: 1 }, after: { id: 1 }, changes: [{ what: 'status', before: 200, after: 500 }] }],
    });
    const exported = { log: { version: '1.2', creator: { name: 'test', version: '1' }, entries: [] } };
    fs.writeFileSync(path.join(folder, 'empty.har'), JSON.stringify(exported));
    const har = await runRoundtrip(['compare', 'empty.har', 'b.roundtrip'], { folder });
    expect(har.stdout).toContain('3 added, 0 gone, 0 changed, 0 unchanged');
    const ignoring = ['--ignore', 'path:/new', '--ignore-change', 'status'];
    const less = await runRoundtrip(['compare', 'a.roundtrip', 'b.roundtrip', ...ignoring], { folder });
    expect(less.stdout).toContain('0 added, 1 gone, 0 changed, 2 unchanged');
  });

  it('says how many exchanges of both are damaged and left out', async () => {
    const folder = temporaryFolder();
    for (const name of ['a.roundtrip', 'b.roundtrip']) {
      await sessionFile(folder, name, ['/one', 200], ['/two', 200]);
      const database = new DatabaseSync(path.join(folder, name));
      database.exec("UPDATE exchange SET row = 'x' WHERE id = 1");
      database.close();
    }
    const { exitCode, stdout, stderr } = await runRoundtrip(['compare', 'a.roundtrip', 'b.roundtrip', '--json'], {
      folder,
    });
    const notes = ['a', 'b'].map((name) =>
      expect.stringMatching(`${name}.roundtrip: 1 exchange .* damaged and left out`),
    );
    expect(JSON.parse(stdout)).toMatchObject({ counts: { unchanged: 1 }, damaged: 2, notes });
    expect({ exitCode, lines: stderr.trimEnd().split('\n') }).toEqual({ exitCode: 0, lines: notes });
  });

  it.each([
    [['compare', 'a'], 2, 'compare needs two sessions'],
    [['compare', 'a', 'b', '--ignore-change', 'colour'], 2, 'use one of status, size'],
    [['compare', 'none.roundtrip', 'b'], 1, 'there is no such file'],
  ])('refuses %j in one line', async (args, exitCode, about) => {
    const finished = await runRoundtrip(args);
    expect(finished).toMatchObject({ exitCode, stdout: '', stderr: expect.stringContaining(about) });
    expect(finished.stderr.trimEnd().split('\n')).toHaveLength(1);
  });
});
