import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { runRoundtrip } from '../../support/roundtrip-cli.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const GOOD = '{ "version": 1, "rules": [ { "name": "red", "do": [ { "mark": { "colour": "red" } } ] } ] }';
const FAULTY = `{ "version": 1, "rules": [
  { "name": "a", "when": "stauts:404", "do": [ { "mark": {} } ] },
  { "name": "a", "do": [ { "delay": { "ms": -1 } } ] } ] }`;

function ruleFile(text: string): { folder: string; file: string } {
  const folder = temporaryFolder();
  const file = path.join(folder, 'rules.json');
  fs.writeFileSync(file, text);
  return { folder, file };
}

describe('roundtrip rules check', () => {
  it('exits 0 with one line about a good file', async () => {
    const { folder, file } = ruleFile(GOOD);
    const stdout = `${file}: 1 rule, no faults\n`;
    expect(await runRoundtrip(['rules', 'check', file], { folder })).toMatchObject({ exitCode: 0, stdout, stderr: '' });
    const json = await runRoundtrip(['rules', 'check', file, '--json'], { folder });
    expect({ ...json, stdout: JSON.parse(json.stdout) }).toMatchObject({ exitCode: 0, stdout: { file, rules: 1 } });
  });

  it('exits 1 with a line per fault', async () => {
    const { folder } = ruleFile(FAULTY);
    const { exitCode, stdout, stderr } = await runRoundtrip(['rules', 'check', 'rules.json'], { folder });
    expect({ exitCode, stderr }).toEqual({ exitCode: 1, stderr: '' });
    expect(stdout.trimEnd().split('\n')).toEqual([
      expect.stringMatching(/^rules\.json:2:27: There is no field stauts\./),
      'rules.json:3:45: "ms" must be at least 0, not -1.',
    ]);
  });

  it('prints an object per fault with --json', async () => {
    const { folder } = ruleFile(FAULTY);
    const { exitCode, stdout } = await runRoundtrip(['rules', 'check', '--json', 'rules.json'], { folder });
    const faults = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(exitCode).toBe(1);
    expect(faults).toEqual([
      { file: 'rules.json', line: 2, column: 27, message: expect.stringContaining('stauts') },
      { file: 'rules.json', line: 3, column: 45, message: '"ms" must be at least 0, not -1.' },
    ]);
  });

  it('exits 1 with one line about a file that cannot be read', async () => {
    const { exitCode, stdout, stderr } = await runRoundtrip(['rules', 'check', 'none.json']);
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
    expect(stderr).toBe('roundtrip: The rules file none.json cannot be read: there is no such file.\n');
  });

  it.each([
    [['rules'], 'rules needs an action'],
    [['rules', 'frobnicate'], '"frobnicate"'],
    [['rules', 'check'], 'needs a file'],
    [['rules', 'check', 'a', 'b'], '"b"'],
  ])('exits 2 with one line about %j', async (args, part) => {
    const { exitCode, stdout, stderr } = await runRoundtrip(args);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
    expect(stderr).toContain(part);
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
  });
});
