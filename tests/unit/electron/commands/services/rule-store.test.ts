import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { RuleStore } from '../../../../../electron/commands/services/rule-store.ts';
import { RoundtripError } from '../../../../../electron/failures/errors.ts';
import type { RuleList } from '../../../../../shared/model/rule/rule.ts';
import { compileScript } from '../../../../support/script-host.ts';
import { temporaryFolder } from '../../../../support/temporary-folder.ts';

function ruleText(name: string, action: object = { mark: { note: name } }): string {
  return JSON.stringify({ version: 1, rules: [{ name, do: [action] }] });
}

function ruleList(name: string): RuleList {
  const do_ = [{ mark: { note: name } }];
  return { version: 1, groupsOff: [], rules: [{ name, enabled: true, when: '', do: do_ }] };
}

function namesOf(store: RuleStore): string[] {
  return store.state().rules.rules.map(({ name }) => name);
}

async function open(folder: string, file: string | null): Promise<RuleStore> {
  const store = await RuleStore.open(folder, file, compileScript);
  onTestFinished(() => store.close());
  return store;
}

function nextChange(store: RuleStore): Promise<void> {
  return new Promise((resolve) => {
    const end = store.onChange(() => {
      end();
      resolve();
    });
  });
}

/** A folder with a rules file in it. */
function scene(text: string | null): { folder: string; file: string } {
  const folder = temporaryFolder();
  const file = path.join(folder, 'rules.json');
  if (text !== null) fs.writeFileSync(file, text);
  return { folder, file };
}

function codeOf(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    if (error instanceof RoundtripError) return error.code;
    throw error;
  }
  return 'done';
}

describe('RuleStore', () => {
  it('has no rules and no failure without rules.json in the data folder', async () => {
    const { folder, file } = scene(null);
    const state = { path: file, problems: [], failure: null, rules: { version: 1, groupsOff: [], rules: [] } };
    expect((await open(folder, null)).state()).toEqual(state);
  });

  it('reads rules.json of the data folder, or the file that was named', async () => {
    const { folder } = scene(ruleText('usual'));
    const other = path.join(folder, 'other.json');
    fs.writeFileSync(other, ruleText('named'));
    expect(namesOf(await open(folder, null))).toEqual(['usual']);
    expect(namesOf(await open(folder, other))).toEqual(['named']);
  });

  it('gives the engine absolute paths, and windows those of the file', async () => {
    const { folder } = scene(ruleText('a', { answer: { file: 'answers/a.json' } }));
    const store = await open(folder, null);
    expect(store.state().rules.rules[0]?.do).toMatchObject([{ answer: { file: 'answers/a.json' } }]);
    const file = path.join(folder, 'answers/a.json');
    expect(store.forEngine().rules[0]?.do).toMatchObject([{ answer: { file } }]);
  });

  it('reports a named file that is missing', async () => {
    const { folder, file } = scene(null);
    expect((await open(folder, file)).state()).toMatchObject({
      failure: { code: 'rules.unreadable', cause: 'ENOENT' },
    });
  });

  it('reports the faults of a file with their places', async () => {
    const { folder } = scene('{ "version": 2, "rules": [] }');
    const message = '"version" must be 1, not 2.';
    expect((await open(folder, null)).state()).toMatchObject({
      problems: [{ line: 1, column: 14, message }],
      failure: { code: 'rules.invalid', message: expect.stringContaining(`First: 1:14: ${message}`) },
    });
  });

  it('follows a file that is written, replaced, removed and written again', async () => {
    const { folder, file } = scene(ruleText('first'));
    const store = await open(folder, null);
    store.watch();
    let changed = nextChange(store);
    fs.writeFileSync(file, ruleText('second'));
    await changed;
    expect(namesOf(store)).toEqual(['second']);
    changed = nextChange(store);
    fs.writeFileSync(`${file}.new`, ruleText('third'));
    fs.renameSync(`${file}.new`, file);
    await changed;
    expect(namesOf(store)).toEqual(['third']);
    changed = nextChange(store);
    fs.rmSync(file);
    await changed;
    expect(namesOf(store)).toEqual([]);
    changed = nextChange(store);
    fs.writeFileSync(file, ruleText('fourth'));
    await changed;
    expect(namesOf(store)).toEqual(['fourth']);
  });

  it('keeps the rules while the file has faults, or a named file is gone', async () => {
    const { folder, file } = scene(ruleText('good'));
    const store = await open(folder, file);
    store.watch();
    let changed = nextChange(store);
    fs.writeFileSync(file, '{ "version": 1,');
    await changed;
    expect(store.state()).toMatchObject({ failure: { code: 'rules.invalid' }, problems: [{ line: 1 }] });
    expect(namesOf(store)).toEqual(['good']);
    changed = nextChange(store);
    fs.rmSync(file);
    await changed;
    expect(store.state()).toMatchObject({ failure: { code: 'rules.unreadable' }, problems: [] });
    expect(namesOf(store)).toEqual(['good']);
    changed = nextChange(store);
    fs.writeFileSync(file, ruleText('better'));
    await changed;
    expect(store.state()).toMatchObject({ failure: null, problems: [] });
    expect(namesOf(store)).toEqual(['better']);
  });

  it('writes rules to the file that they came from, for its user only', async () => {
    const { folder, file } = scene(null);
    const named = path.join(folder, 'named.json');
    fs.writeFileSync(named, ruleText('a'), { mode: 0o644 });
    const store = await open(folder, named);
    let changes = 0;
    store.onChange(() => {
      changes += 1;
    });
    expect(store.update(ruleList('b'))).toMatchObject({ path: named, failure: null, rules: ruleList('b') });
    expect(changes).toBe(1);
    expect(namesOf(await open(folder, named))).toEqual(['b']);
    expect(fs.statSync(named).mode & 0o777).toBe(0o600);
    expect(fs.existsSync(file)).toBe(false);
    expect(fs.readdirSync(folder)).toEqual(['named.json']);
  });

  it('writes rules.json in the data folder where no file was named', async () => {
    const { folder, file } = scene(null);
    (await open(folder, null)).update(ruleList('b'));
    expect(JSON.parse(fs.readFileSync(file, 'utf8'))).toEqual(ruleList('b'));
  });

  it('writes through a symbolic link', async () => {
    const { folder, file } = scene(null);
    fs.writeFileSync(path.join(folder, 'kept.json'), ruleText('a'));
    fs.symlinkSync('kept.json', file);
    (await open(folder, null)).update(ruleList('b'));
    expect(fs.lstatSync(file).isSymbolicLink()).toBe(true);
    expect(namesOf(await open(folder, path.join(folder, 'kept.json')))).toEqual(['b']);
  });

  it('refuses rules with faults', async () => {
    const { folder, file } = scene(ruleText('a'));
    const store = await open(folder, null);
    const list = ruleList('b');
    expect(codeOf(() => store.update({ ...list, groupsOff: ['none'] }))).toBe('rules.refused');
    expect(namesOf(store)).toEqual(['a']);
    expect(fs.readFileSync(file, 'utf8')).toBe(ruleText('a'));
  });

  it('overwrites neither a change by another program nor a file with faults', async () => {
    const { folder, file } = scene(ruleText('a'));
    const store = await open(folder, null);
    fs.writeFileSync(file, ruleText('theirs'));
    expect(codeOf(() => store.update(ruleList('ours')))).toBe('rules.changed-on-disk');
    expect(namesOf(store)).toEqual(['theirs']);
    fs.writeFileSync(file, 'half-written');
    expect(codeOf(() => store.update(ruleList('ours')))).toBe('rules.invalid');
    expect(fs.readFileSync(file, 'utf8')).toBe('half-written');
  });

  it('keeps the rules if new ones cannot be written', async () => {
    const folder = temporaryFolder();
    // The file next to it, which replaces it once it is complete, needs a longer name than a file system allows.
    const store = await open(folder, path.join(folder, `${'r'.repeat(250)}.json`));
    fs.writeFileSync(store.state().path, ruleText('a'));
    store.reload();
    expect(codeOf(() => store.update(ruleList('b')))).toBe('rules.write-failed');
    expect(namesOf(store)).toEqual(['a']);
  });
});

const GOOD_SCRIPT = 'function onRequest() {}';

/** A rule whose script is in a file, and one that only marks. */
const SCRIPTED = JSON.stringify({
  version: 1,
  rules: [
    { name: 'scripted', do: [{ script: { file: 's.js' } }] },
    { name: 'other', do: [{ mark: {} }] },
  ],
});
const NOT_COMPILED = { problems: [{ line: 1, message: expect.stringContaining('s.js:1:7: SyntaxError') }] };

describe('RuleStore with scripts and files', () => {
  it('uses rules at the start although a script of them does not compile, and reports it', async () => {
    const { folder } = scene(SCRIPTED);
    fs.writeFileSync(path.join(folder, 's.js'), 'let a b;');
    const store = await open(folder, null);
    expect(store.state()).toMatchObject({ ...NOT_COMPILED, failure: null });
    expect(namesOf(store)).toEqual(['scripted', 'other']);
  });

  it('keeps the rules before a file whose script does not compile, until it does', async () => {
    const { folder, file } = scene(ruleText('good'));
    const store = await open(folder, null);
    store.watch();
    let changed = nextChange(store);
    fs.writeFileSync(file, ruleText('scripted', { script: { code: 'let a b;' } }));
    await changed;
    expect(store.state()).toMatchObject({ failure: { code: 'rules.invalid' }, problems: [{ line: 1 }] });
    expect([namesOf(store), store.revision]).toEqual([['good'], 0]);
    expect(codeOf(() => store.update(ruleList('ours')))).toBe('rules.invalid');
    changed = nextChange(store);
    fs.writeFileSync(file, ruleText('scripted', { script: { code: GOOD_SCRIPT } }));
    await changed;
    expect(store.state()).toMatchObject({ failure: null, problems: [] });
    expect([namesOf(store), store.revision]).toEqual([['scripted'], 1]);
  });

  it('uses a file of rules once the file that they name appears', async () => {
    const { folder, file } = scene(ruleText('good'));
    const store = await open(folder, null);
    store.watch();
    let changed = nextChange(store);
    fs.writeFileSync(file, ruleText('from a file', { answer: { file: 'a.json' } }));
    await changed;
    expect(store.state()).toMatchObject({ failure: { code: 'rules.invalid' } });
    expect(namesOf(store)).toEqual(['good']);
    changed = nextChange(store);
    fs.writeFileSync(path.join(folder, 'a.json'), '{}');
    await changed;
    expect(store.state()).toMatchObject({ failure: null, problems: [] });
    expect(namesOf(store)).toEqual(['from a file']);
  });

  it("keeps the script before a script's file that does not compile any more, until it does", async () => {
    const { folder } = scene(SCRIPTED);
    const script = path.join(folder, 's.js');
    fs.writeFileSync(script, GOOD_SCRIPT);
    const store = await open(folder, null);
    store.watch();
    let changed = nextChange(store);
    fs.writeFileSync(script, 'let a b;');
    await changed;
    expect(store.state()).toMatchObject({ ...NOT_COMPILED, failure: null });
    expect(store.revision).toBe(0);
    changed = nextChange(store);
    fs.writeFileSync(script, `${GOOD_SCRIPT}\n`);
    await changed;
    expect([store.state().problems, store.revision]).toEqual([[], 1]);
  });

  it('lets a window switch off a rule whose script does not compile, and reports the script', async () => {
    const { folder } = scene(SCRIPTED);
    fs.writeFileSync(path.join(folder, 's.js'), 'let a b;');
    const store = await open(folder, null);
    const { rules } = store.state();
    const off = { ...rules, rules: rules.rules.map((rule) => ({ ...rule, enabled: false })) };
    expect(store.update(off)).toMatchObject({ failure: null, rules: { rules: [{ enabled: false }, {}] } });
    await expect.poll(() => store.state().problems).toHaveLength(1);
    expect(store.revision).toBe(1);
  });

  it('does not use a list that was replaced while its script was compiled', async () => {
    const { folder, file } = scene(ruleText('first'));
    let compiled = (): void => undefined;
    const compiling = new Promise<void>((resolve) => {
      compiled = resolve;
    });
    const store = await RuleStore.open(folder, null, () => compiling.then(() => null));
    onTestFinished(() => store.close());
    fs.writeFileSync(file, ruleText('scripted', { script: { code: GOOD_SCRIPT } }));
    store.reload();
    fs.writeFileSync(file, ruleText('first'));
    store.reload();
    compiled();
    await compiling;
    await new Promise(setImmediate);
    expect(namesOf(store)).toEqual(['first']);
  });
});
