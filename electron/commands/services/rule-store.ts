import fs from 'node:fs';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { NO_RULES, type Rule, type RuleList } from '../../../shared/model/rule/rule.ts';
import type { RuleFault, RuleState } from '../../../shared/model/rule/rule-state.ts';
import { RoundtripError, roundtripError } from '../../failures/errors.ts';
import { type CompileScript, namedFaults, namesFiles } from '../../rules-file/named-faults.ts';
import { type FileStates, fileStates, neededFiles } from '../../rules-file/named-files.ts';
import { parseRules } from '../../rules-file/parse-rules.ts';
import { withAbsolutePaths } from '../../rules-file/rule-paths.ts';
import { type Reading, readRuleFile, refused, stateOf, writeRuleFile } from './rules/rule-file.ts';

/**
 * How often the file is checked, milliseconds. Polling works where watching does not: editors replace a file, symbolic
 * links change their target, and network file systems report no changes.
 */
const INTERVAL = 500;
/** A program may still be writing a file that has faults: it is read again after this, milliseconds. */
const SECOND_LOOK = 250;

/**
 * The rules of a host, kept in one file. If the file has faults, the previous rules stay in use. At startup there are
 * none: rules are then used even if a script does not compile or a file is missing, because the others have no fault.
 */
export class RuleStore {
  readonly #file: string;
  /** A file given by name must exist; `rules.json` in the data folder need not. */
  readonly #isNamed: boolean;
  readonly #compile: CompileScript;
  readonly #listeners = new Set<(store: RuleStore) => void>();
  #reading: Reading;
  #rules: RuleList;
  #revision = 0;
  /** The file's state before it was last read (`stateOf`). */
  #seen = '';
  /** The latest check: results of an older one do not count. `text`: null once it has ended. */
  #check: { text: string | null } = { text: null };
  /** The files that the rules need, in their state before they were read. */
  #needed: FileStates = new Map();
  #timer: NodeJS.Timeout | undefined;
  #secondLook: NodeJS.Timeout | undefined;

  /**
   * Reads and checks the file. Never rejects: see `state()`. `file`: absolute, or null for `rules.json` in the data
   * folder.
   */
  static async open(dataFolder: string, file: string | null, compile: CompileScript): Promise<RuleStore> {
    const store = new RuleStore(dataFolder, file, compile);
    const { rules, text } = store.#reading;
    if (rules && text !== null) await store.#checkNamed(text, rules, (faults) => (store.#reading.problems = faults));
    return store;
  }

  private constructor(dataFolder: string, file: string | null, compile: CompileScript) {
    this.#file = file ?? path.join(dataFolder, 'rules.json');
    this.#isNamed = file !== null;
    this.#compile = compile;
    this.#reading = this.#read();
    this.#rules = this.#reading.rules ?? NO_RULES;
  }

  state(): RuleState {
    const { problems, failure } = this.#reading;
    return { rules: this.#rules, path: this.#file, problems, failure };
  }

  /** Counts the lists that were put into use, and the changes of their scripts: the engine needs each. */
  get revision(): number {
    return this.#revision;
  }

  /** The rules with absolute paths of files. */
  forEngine(): RuleList {
    return withAbsolutePaths(this.#rules, this.#folder);
  }

  /** A rule that is not in the file, with absolute paths of files as if it were. */
  located(rule: Rule): Rule {
    const { rules } = withAbsolutePaths({ ...NO_RULES, rules: [rule] }, this.#folder);
    return rules[0] ?? rule;
  }

  /** Reads the file again when it changes, until `close`. */
  watch(): void {
    this.#timer ??= setInterval(() => this.#look(), INTERVAL).unref();
  }

  close(): void {
    clearTimeout(this.#secondLook);
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#check = { text: null };
  }

  /** Reads the file again; notifies listeners if it has changed, once its scripts are compiled. */
  reload(): void {
    this.#consider(this.#read());
  }

  /**
   * Replaces all rules, and writes them to the file. Throws `rules.refused`, `rules.changed-on-disk`,
   * `rules.write-failed`, or the current file's failure; then the rules stay unchanged. Scripts that do not compile and
   * missing files are reported afterwards: a rule with one can still be switched off.
   */
  update(rules: RuleList): RuleState {
    const before = this.#reading.text;
    const reading = this.#read();
    this.#consider(reading);
    if (this.#reading.failure) throw new RoundtripError(this.#reading.failure);
    if (reading.text !== before) throw roundtripError('rules.changed-on-disk', { path: this.#file });
    const text = `${JSON.stringify(rules, null, 2)}\n`;
    const parsed = parseRules(text);
    if (!parsed.ok) throw roundtripError('rules.refused', { detail: parsed.faults[0]?.message ?? '' });
    writeRuleFile(this.#file, text);
    this.#take({ text, rules: parsed.rules, problems: [], failure: null });
    void this.#checkNamed(text, parsed.rules, (faults) => this.#report(faults));
    return this.state();
  }

  /** Returns a function that removes the listener. */
  onChange(listener: (store: RuleStore) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  get #folder(): string {
    return path.dirname(this.#file);
  }

  #read(): Reading {
    const { reading, seen } = readRuleFile(this.#file, this.#isNamed);
    this.#seen = seen;
    return reading;
  }

  /**
   * Accepts what was read. Rules with scripts or files are checked first, and the previous ones stay if they have
   * faults.
   */
  #consider(reading: Reading): void {
    const { text, rules } = reading;
    if (text !== null && text === this.#check.text) return;
    if (text === this.#reading.text && this.#reading.failure === null) {
      this.#check = { text: null };
      return;
    }
    if (rules === null || text === null || !namesFiles(rules)) {
      this.#check = { text: null };
      this.#needed = new Map();
      this.#take(reading);
      return;
    }
    void this.#checkNamed(text, rules, (faults) =>
      this.#take(faults.length === 0 ? reading : refused(this.#file, text, faults)),
    );
  }

  /** `found` gets the faults, unless a later list is being checked by then. */
  async #checkNamed(text: string, rules: RuleList, found: (faults: RuleFault[]) => void): Promise<void> {
    const mine = { text };
    this.#check = mine;
    // Before they are read: a change in between counts as a later one.
    const needed = await neededFiles(withAbsolutePaths(rules, this.#folder));
    const faults = await this.#faultsOf(text, rules);
    if (mine !== this.#check) return;
    this.#check = { text: null };
    this.#needed = needed;
    found(faults);
  }

  /** If the interpreter can't run, scripts are not checked: the rows that need them report it. */
  async #faultsOf(text: string, rules: RuleList): Promise<RuleFault[]> {
    return await namedFaults(text, rules, { folder: this.#folder, compile: this.#compile }).catch(() => []);
  }

  /**
   * Another program has changed a file that the rules need: a script that does not compile leaves the previous one in
   * use.
   */
  async #lookAtNeeded(): Promise<void> {
    const before = this.#needed;
    if (before.size === 0) return;
    const now = await fileStates(before.keys());
    if (isDeepStrictEqual(now, before) || this.#timer === undefined || before !== this.#needed) return;
    this.#needed = now;
    const { text, rules, failure } = this.#read();
    if (text === null || rules === null || text !== this.#reading.text || failure) return;
    await this.#checkNamed(text, rules, (faults) => this.#changed(text, rules, faults));
  }

  /** The same text, with other files. */
  #changed(text: string, rules: RuleList, faults: RuleFault[]): void {
    if (this.#reading.failure)
      this.#take(
        faults.length === 0 ? { text, rules, problems: [], failure: null } : refused(this.#file, text, faults),
      );
    else if (faults.length > 0) this.#report(faults);
    else {
      this.#reading.problems = [];
      this.#revision += 1;
      this.#notify();
    }
  }

  /** The rules are in use, except for those with these faults. */
  #report(problems: RuleFault[]): void {
    if (isDeepStrictEqual(this.#reading.problems, problems)) return;
    this.#reading = { ...this.#reading, problems };
    this.#notify();
  }

  /** Asynchronous: a network file system may not answer for long. */
  #look(): void {
    void this.#lookAtNeeded();
    fs.stat(this.#file, { bigint: true }, (error, stats) => {
      if (this.#timer !== undefined && stateOf(error ? undefined : stats) !== this.#seen) this.#readChanged();
    });
  }

  #readChanged(): void {
    const reading = this.#read();
    clearTimeout(this.#secondLook);
    if (reading.failure === null) this.#consider(reading);
    else this.#secondLook = setTimeout(() => this.reload(), SECOND_LOOK).unref();
  }

  #take(reading: Reading): void {
    clearTimeout(this.#secondLook);
    if (isDeepStrictEqual(reading, this.#reading)) return;
    this.#reading = reading;
    if (reading.rules) {
      this.#rules = reading.rules;
      this.#revision += 1;
    }
    this.#notify();
  }

  #notify(): void {
    for (const listener of this.#listeners) listener(this);
  }
}
