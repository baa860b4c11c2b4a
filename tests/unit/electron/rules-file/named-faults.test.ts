import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { namedFaults } from '../../../../electron/rules-file/named-faults.ts';
import { parseRules } from '../../../../electron/rules-file/parse-rules.ts';
import { faultLine } from '../../../../electron/rules-file/read-rules.ts';
import { compileScript } from '../../../support/script-host.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

/** The faults of a list, a line each as `rules check` prints them. */
async function faultsOf(text: string, folder: string): Promise<string[]> {
  const parsed = parseRules(text);
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.faults));
  const faults = await namedFaults(text, parsed.rules, { folder, compile: compileScript });
  return faults.map((fault) => faultLine('rules.json', fault));
}

/** The text from a fault's place on. */
function textAt(text: string, line: string): string {
  const [, row, column] = /^rules\.json:(\d+):(\d+):/.exec(line) ?? [];
  return (text.split('\n')[Number(row) - 1] ?? '').slice(Number(column) - 1);
}

function rules(...actions: object[]): string {
  return JSON.stringify(
    { version: 1, rules: actions.map((action, index) => ({ name: `r${index}`, do: [action] })) },
    null,
    2,
  );
}

describe('scripts in the list', () => {
  it('a script that compiles has no fault, even if it would fail as it runs', async () => {
    expect(await faultsOf(rules({ script: { code: 'function onRequest() { throw new Error(); }' } }), '/')).toEqual([]);
    expect(await faultsOf(rules({ script: { code: 'let onMessage; for (;;);' } }), '/')).toEqual([]);
  });

  it('the fault stands at its character of the escaped text, and names the line of the script', async () => {
    const text = rules({ script: { code: 'function onRequest(request) {\n\trequest.method = "\\"" "POST";\n}' } });
    const [line = '', ...others] = await faultsOf(text, '/');
    expect(others).toEqual([]);
    expect(line).toMatch(/: The script does not compile in its line 2: SyntaxError: expecting ';'\.$/);
    expect(textAt(text, line)).toMatch(/^\\"POST\\";/);
  });

  it('a script without any of the functions is a fault: it would never run', async () => {
    const folder = temporaryFolder();
    fs.writeFileSync(path.join(folder, 's.js'), '');
    const code = 'function onrequest(request) {}';
    const [inline, file] = await faultsOf(rules({ script: { code } }, { script: { file: 's.js' } }), folder);
    expect(inline).toContain('The script never runs: it defines none of onRequest, onResponse and onMessage.');
    expect(file).toContain('s.js: The script never runs: ');
  });

  it('a fault without a place in the script stands at its beginning', async () => {
    const text = rules({ script: { code: '/(/' } });
    const [line = ''] = await faultsOf(text, '/');
    expect(line).toContain(": The script does not compile: SyntaxError: expecting ')'.");
    expect(textAt(text, line)).toBe('/(/"');
  });

  it('all faults come in the order of the text, those of files too', async () => {
    const text = rules({ answer: { file: 'none' } }, { script: { code: 'a b' } }, { answer: { folder: 'none' } });
    const lines = await faultsOf(text, '/nowhere');
    expect(lines.map((line) => textAt(text, line))).toEqual(['"none"', 'b"', '"none"']);
  });
});

describe('files that rules name', () => {
  it.each([
    ['file', (name: string) => ({ answer: { file: name } })],
    ['file', (name: string) => ({ changeRequest: { bodyFile: name } })],
    ['file', (name: string) => ({ changeResponse: { bodyFile: name } })],
    ['file', (name: string) => ({ script: { file: name } })],
    ['folder', (name: string) => ({ answer: { folder: name } })],
  ])('a %s that is missing is a fault at its path: %s', async (kind, action) => {
    const folder = temporaryFolder();
    const text = rules(action('part/a'));
    const [line = '', ...others] = await faultsOf(text, folder);
    expect(others).toEqual([]);
    expect(line).toMatch(
      new RegExp(`: There is no ${kind} ${path.join(folder, 'part/a')}: create it, or correct its path\\.$`),
    );
    expect(textAt(text, line)).toBe('"part/a"');
    fs.mkdirSync(path.join(folder, 'part'));
    if (kind === 'folder') fs.mkdirSync(path.join(folder, 'part/a'));
    else fs.writeFileSync(path.join(folder, 'part/a'), 'function onRequest() {}');
    expect(await faultsOf(text, folder)).toEqual([]);
  });

  it('a folder where a file is wanted, and the other way round, is a fault', async () => {
    const folder = temporaryFolder();
    fs.writeFileSync(path.join(folder, 'f'), '');
    const lines = await faultsOf(rules({ answer: { file: '.' } }, { answer: { folder: 'f' } }), folder);
    expect(lines).toEqual([
      expect.stringContaining(`${folder} is a folder: name a file.`),
      expect.stringContaining(`${folder}/f is not a folder: name a folder, or use "file".`),
    ]);
  });

  it("a script's file that does not compile is a fault that names its line and column", async () => {
    const folder = temporaryFolder();
    const file = path.join(folder, 's.js');
    fs.writeFileSync(file, 'const a = 1;\nconst a = 2;\n');
    const text = rules({ script: { file: 's.js' } });
    const [line = ''] = await faultsOf(text, folder);
    expect(line).toContain(`The script does not compile: ${file}:2:9: SyntaxError: `);
    expect(textAt(text, line)).toBe('"s.js"');
  });
});

it.skipIf(process.platform === 'win32')('a named pipe is a fault, and nobody waits for its writer', async () => {
  const folder = temporaryFolder();
  execFileSync('mkfifo', [path.join(folder, 'pipe')]);
  const actions = [
    { answer: { file: 'pipe' } },
    { script: { file: 'pipe' } },
    { changeResponse: { bodyFile: 'pipe' } },
  ];
  const faults = await faultsOf(rules(...actions), folder);
  expect(faults).toHaveLength(3);
  for (const fault of faults) expect(fault).toContain(`${path.join(folder, 'pipe')} is not a file`);
});
