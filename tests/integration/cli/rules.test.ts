import { once } from 'node:events';
import fs from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import type { RuleState } from '../../../shared/model/rule/rule-state.ts';
import type { Trial } from '../../../shared/model/rule/trial.ts';
import { callHost } from '../../support/call-host.ts';
import { exampleExchange } from '../../support/example-exchange.ts';
import { record, startRecorder } from '../../support/recording.ts';
import { RoundtripCli, runRoundtrip } from '../../support/roundtrip-cli.ts';
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

describe('roundtrip rules import', () => {
  it('writes a rules file, and a line for what has no equivalent', async () => {
    const { folder } = ruleFile('');
    fs.writeFileSync(path.join(folder, 'config.yaml'), 'modify_headers:\n  - "/x-a/b"\n  - "/~hq c/x-a/b"\n');
    const imported = await runRoundtrip(['rules', 'import', 'config.yaml', '--out', 'out.json'], { folder });
    expect(imported).toMatchObject({
      ...{ exitCode: 0, stdout: expect.stringMatching(/out\.json: 1 rule\n$/) },
      stderr: expect.stringContaining('config.yaml: modify_headers /~hq c/x-a/b: the filter ~hq has no equivalent'),
    });
    expect((await runRoundtrip(['rules', 'check', 'out.json'], { folder })).exitCode).toBe(0);
    const printed = await runRoundtrip(['rules', 'import', 'config.yaml'], { folder });
    expect(JSON.parse(printed.stdout)).toMatchObject({ version: 1, rules: [{ name: 'modify_headers /x-a/b' }] });
    const { exitCode, stderr } = await runRoundtrip(['rules', 'import', 'out.json'], { folder });
    expect(exitCode).toBe(1);
    expect(stderr).toContain("can't be imported");
  });
});

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

  it('compiles scripts, and looks for the files that rules name', async () => {
    const { folder } = ruleFile(`{ "version": 1, "rules": [
  { "name": "inline", "do": [ { "script": { "code": "let a;\\nlet a b;" } } ] },
  { "name": "file", "do": [ { "script": { "file": "s.js" } } ] },
  { "name": "none", "do": [ { "answer": { "file": "none.json" } } ] } ] }`);
    fs.writeFileSync(path.join(folder, 's.js'), '\n  return (1;');
    const { exitCode, stdout } = await runRoundtrip(['rules', 'check', 'rules.json'], { folder });
    expect(exitCode).toBe(1);
    expect(stdout.trimEnd().split('\n')).toEqual([
      expect.stringMatching(/^rules\.json:2:68: The script does not compile in its line 2: SyntaxError: /),
      expect.stringMatching(/^rules\.json:3:51: The script does not compile: .*s\.js:2:\d+: SyntaxError: /),
      expect.stringMatching(/^rules\.json:4:51: There is no file .*none\.json: create it, or correct its path\.$/),
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

function answering(body: string): string {
  return JSON.stringify({ version: 1, rules: [{ name: body, do: [{ answer: { body } }] }] });
}

/** The response to a plain request through the proxy; the rule answers, and no such server exists. */
async function responseOf(proxy: string): Promise<string> {
  const { hostname, port } = new URL(proxy);
  const request = http.get({ hostname, port, path: 'http://rules.invalid/', agent: false });
  const [response] = await once(request, 'response');
  return await text(response);
}

async function stateOf(ui: string): Promise<RuleState> {
  return (await callHost(ui, 'rules.get', {})) as RuleState;
}

describe('--rules', () => {
  it.each([['serve'], ['record']])('%s does not start with a faulty file', async (command) => {
    const { folder, file } = ruleFile(FAULTY);
    const { exitCode, stdout, stderr } = await runRoundtrip([command, '--port', '0', '--json', '--rules', file], {
      folder,
    });
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
    expect(stderr).toContain(`${file}:2:27: There is no field stauts.`);
    expect(stderr).toContain(`\n${file}:3:45: "ms" must be at least 0, not -1.\n`);
    expect(stderr).toContain(`\nroundtrip: The rules in ${file} have 2 faults`);
  });

  it('does not start with a script that does not compile, and keeps the rules before one', async () => {
    const list = (code: string) => JSON.stringify({ version: 1, rules: [{ name: 'r', do: [{ script: { code } }] }] });
    const { folder, file } = ruleFile(list('let a b;'));
    const args = ['serve', '--port', '0', '--json', '--rules', file];
    const { exitCode, stderr } = await runRoundtrip(args, { folder });
    expect(exitCode).toBe(1);
    expect(stderr).toContain(`${file}:1:66: The script does not compile in its line 1: SyntaxError: `);
    expect(stderr).toContain(`\nroundtrip: The rules in ${file} have 1 fault`);
    const respondsWith = (body: string) => `function onRequest() { return { body: '${body}' }; }`;
    fs.writeFileSync(file, list(respondsWith('first')));
    const cli = new RoundtripCli(args, { folder });
    const { proxy, ui } = await cli.ready();
    expect(await responseOf(proxy)).toBe('first');
    fs.writeFileSync(file, list(`${respondsWith('second')} }`));
    await expect.poll(() => cli.stderr).toContain(`${file}:1:`);
    expect(await stateOf(ui)).toMatchObject({ failure: { code: 'rules.invalid' }, problems: [{ line: 1 }] });
    expect(await responseOf(proxy)).toBe('first');
  });

  it('does not start without its file', async () => {
    const { exitCode, stderr } = await runRoundtrip(['serve', '--port', '0', '--rules', 'none.json']);
    expect(exitCode).toBe(1);
    expect(stderr).toContain('none.json cannot be read: there is no such file.');
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
  });

  it('applies the rules of the file, follows its changes, and keeps them while it has faults', async () => {
    const { folder, file } = ruleFile(answering('first'));
    const cli = new RoundtripCli(['serve', '--port', '0', '--json', '--rules', file], { folder });
    const { proxy, ui } = await cli.ready();
    expect(await responseOf(proxy)).toBe('first');
    fs.writeFileSync(file, FAULTY);
    const line = `\n${file}:3:45: "ms" must be at least 0, not -1.\n`;
    await expect.poll(() => cli.stderr).toContain(line);
    expect(cli.stderr).toContain(`roundtrip: The rules in ${file} have 2 faults`);
    expect(await responseOf(proxy)).toBe('first');
    expect(await stateOf(ui)).toMatchObject({
      path: file,
      rules: { rules: [{ name: 'first' }] },
      problems: [
        { line: 2, column: 27 },
        { line: 3, column: 45 },
      ],
      failure: { code: 'rules.invalid' },
    });
    fs.writeFileSync(`${file}.new`, answering('second'));
    fs.renameSync(`${file}.new`, file);
    await expect.poll(async () => (await stateOf(ui)).failure).toBeNull();
    expect(await responseOf(proxy)).toBe('second');
    // Scripts too, in a file or in the list.
    const script = path.join(folder, 'rule.js');
    const respondsWith = (body: string) => `function onRequest() { return { body: '${body}' }; }`;
    fs.writeFileSync(script, respondsWith('third'));
    const scripted = (given: object) => JSON.stringify({ version: 1, rules: [{ name: 'r', do: [{ script: given }] }] });
    fs.writeFileSync(file, scripted({ file: 'rule.js' }));
    await expect.poll(() => responseOf(proxy)).toBe('third');
    fs.writeFileSync(script, respondsWith('fourth'));
    await expect.poll(() => responseOf(proxy)).toBe('fourth');
    fs.writeFileSync(file, scripted({ code: respondsWith('fifth') }));
    await expect.poll(() => responseOf(proxy)).toBe('fifth');
    cli.child.kill('SIGINT');
    expect(await cli.finished).toMatchObject({ exitCode: 0 });
  });

  it('is rules.json of the data folder by default, which a window can write', async () => {
    const folder = temporaryFolder();
    const file = path.join(folder, 'rules.json');
    fs.writeFileSync(file, answering('usual'));
    const cli = new RoundtripCli(['serve', '--port', '0', '--json', '--data-dir', folder]);
    const { proxy, ui } = await cli.ready();
    expect(await responseOf(proxy)).toBe('usual');
    const rules = { version: 1, rules: [{ name: 'new', do: [{ answer: { body: 'written' } }] }] };
    expect(await callHost(ui, 'rules.update', { rules })).toMatchObject({
      path: file,
      rules: { rules: [{ name: 'new' }] },
    });
    expect(await responseOf(proxy)).toBe('written');
    expect(JSON.parse(fs.readFileSync(file, 'utf8'))).toMatchObject(rules);
    // A file of an answer is relative to the rules file, also for a rule that is only tried.
    fs.writeFileSync(path.join(folder, 'answer.txt'), 'tried');
    const tried = { name: 'tried', when: 'path:/kept', do: [{ answer: { file: 'answer.txt' } }] };
    const opened = path.join(folder, 'opened.roundtrip');
    const recorder = await startRecorder(opened);
    record(recorder, exampleExchange({ id: 1, request: { path: '/kept' } }), { response: Buffer.from('was') });
    await recorder.close();
    const { id: session } = (await callHost(ui, 'sessions.open', { path: opened })) as { id: string };
    const { trial } = (await callHost(ui, 'rules.try', { session, rule: tried })) as { trial: Trial };
    expect(trial).toMatchObject({ searched: 1, matching: 1, hits: [{ diffs: [{ side: 'response' }] }] });
    expect([trial.hits[0]?.diffs[0]?.before.at(-1), trial.hits[0]?.diffs[0]?.after.at(-1)]).toEqual(['was', 'tried']);
    const code = 'function onResponse(response) { console.log(response.status); response.body += " scripted"; }';
    const scripted = { name: 'scripted', do: [{ script: { code } }] };
    const { trial: second } = (await callHost(ui, 'rules.try', { session, rule: scripted })) as { trial: Trial };
    expect(second.hits[0]).toMatchObject({ problem: null, console: [{ level: 'log', text: '200' }] });
    expect(second.hits[0]?.diffs[0]?.after.at(-1)).toBe('was scripted');
    const check = (source: string) => callHost(ui, 'rules.check-script', { code: source });
    expect(await check(code)).toEqual({ problem: null });
    expect(await check(`${code}\nlet x = ;`)).toMatchObject({
      problem: { line: 2, column: 9, detail: expect.any(String) },
    });
    const twice = { ...rules, rules: [...rules.rules, ...rules.rules] };
    await expect(callHost(ui, 'rules.update', { rules: twice })).rejects.toThrow(
      /^rules\.refused: .*has the name "new" too/,
    );
  });

  it('starts without rules where rules.json of the data folder has faults', async () => {
    const folder = temporaryFolder();
    const file = path.join(folder, 'rules.json');
    fs.writeFileSync(file, FAULTY);
    const cli = new RoundtripCli(['serve', '--port', '0', '--json', '--data-dir', folder]);
    const { ui } = await cli.ready();
    expect(cli.stderr).toContain(`${file}:2:27: There is no field stauts.`);
    expect(await stateOf(ui)).toMatchObject({ rules: { rules: [] }, failure: { code: 'rules.invalid' } });
  });
});
