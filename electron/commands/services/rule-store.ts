import fs from 'node:fs';
import path from 'node:path';
import type { Failure } from '../../../shared/model/failure.ts';
import { NO_RULES, type Rule, type RuleList } from '../../../shared/model/rule/rule.ts';
import type { RuleFault, RuleState } from '../../../shared/model/rule/rule-state.ts';
import { failureOf, RoundtripError, roundtripError, systemCode } from '../../failures/errors.ts';
import { fileProblem } from '../../files/file-problem.ts';
import { parseRules } from '../../rules-file/parse-rules.ts';
import { invalidRules, readRulesText } from '../../rules-file/read-rules.ts';
import { withAbsolutePaths } from '../../rules-file/rule-paths.ts';
import { scriptFilesState } from '../../rules-file/script-files.ts';
import { writePrivateFile } from '../private-file.ts';

/**
 * How often the file is looked at, milliseconds. Looking works where watching does not: editors replace a file,
 * symbolic links change their target, and network file systems report no changes.
 */
const INTERVAL = 500;
/** A program may still be writing a file that has faults: it is read again after this, milliseconds. */
const SECOND_LOOK = 250;

/** What a file holds. `text`: null if there is none. */
interface Reading {
  text: string | null;
  rules: RuleList | null;
  problems: RuleFault[];
  failure: Failure | null;
}

/** Differs after every change: of content, by replacement, or of the file that a symbolic link leads to. */
function stateOf(stats: fs.BigIntStats | undefined): string {
  return stats === undefined ? 'none' : `${stats.dev} ${stats.ino} ${stats.size} ${stats.mtimeNs} ${stats.ctimeNs}`;
}

/** The rules of a host, kept in one file. Faults of the file leave the rules before them in use. */
export class RuleStore {
  readonly #file: string;
  /** A file that was named must exist; `rules.json` in the data folder need not. */
  readonly #isNamed: boolean;
  readonly #listeners = new Set<(store: RuleStore) => void>();
  #reading: Reading;
  #rules: RuleList;
  /** The file's state before it was last read (`stateOf`). */
  #seen = '';
  /** The state of the files with scripts, from before anybody read them. */
  #scripts: Promise<string>;
  #timer: NodeJS.Timeout | undefined;
  #secondLook: NodeJS.Timeout | undefined;

  /**
   * Reads the file. Never throws: see `state().failure`. `file`: absolute, or null for `rules.json` in the data folder.
   */
  constructor(dataFolder: string, file: string | null) {
    this.#file = file ?? path.join(dataFolder, 'rules.json');
    this.#isNamed = file !== null;
    this.#reading = this.#read();
    this.#rules = this.#reading.rules ?? NO_RULES;
    this.#scripts = scriptFilesState(this.forEngine());
  }

  state(): RuleState {
    const { problems, failure } = this.#reading;
    return { rules: this.#rules, path: this.#file, problems, failure };
  }

  /** The rules with absolute paths of files. */
  forEngine(): RuleList {
    return withAbsolutePaths(this.#rules, path.dirname(this.#file));
  }

  /** A rule that is not in the file, with absolute paths of files as if it were. */
  located(rule: Rule): Rule {
    const { rules } = withAbsolutePaths({ ...NO_RULES, rules: [rule] }, path.dirname(this.#file));
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
  }

  /** Reads the file again; listeners hear of it if it has changed. */
  reload(): void {
    this.#take(this.#read());
  }

  /**
   * Replaces all rules, and writes them to the file. Throws `rules.refused`, `rules.changed-on-disk`,
   * `rules.write-failed`, or the failure of the file as it is; then the rules stay as they are.
   */
  update(rules: RuleList): RuleState {
    const before = this.#reading.text;
    this.reload();
    if (this.#reading.failure) throw new RoundtripError(this.#reading.failure);
    if (this.#reading.text !== before) throw roundtripError('rules.changed-on-disk', { path: this.#file });
    const text = `${JSON.stringify(rules, null, 2)}\n`;
    const parsed = parseRules(text);
    if (!parsed.ok) throw roundtripError('rules.refused', { detail: parsed.faults[0]?.message ?? '' });
    this.#write(text);
    this.#take({ text, rules: parsed.rules, problems: [], failure: null });
    return this.state();
  }

  /** Returns what ends the listening. */
  onChange(listener: (store: RuleStore) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #read(): Reading {
    this.#seen = stateOf(undefined);
    try {
      // Before the content: a change in between is seen as one later.
      this.#seen = stateOf(fs.statSync(this.#file, { bigint: true, throwIfNoEntry: false }));
      const text = readRulesText(this.#file);
      const parsed = parseRules(text);
      if (parsed.ok) return { text, rules: parsed.rules, problems: [], failure: null };
      return { text, rules: null, problems: parsed.faults, failure: invalidRules(this.#file, parsed.faults) };
    } catch (error) {
      const failure = failureOf(error);
      if (failure.cause === 'ENOENT' && !this.#isNamed) {
        return { text: null, rules: NO_RULES, problems: [], failure: null };
      }
      return { text: null, rules: null, problems: [], failure };
    }
  }

  /** The engine reads scripts when it gets the rules: it gets them again when one of their files has changed. */
  async #lookAtScripts(): Promise<void> {
    const before = this.#scripts;
    const now = scriptFilesState(this.forEngine());
    const isSame = (await before) === (await now);
    if (isSame || this.#timer === undefined || before !== this.#scripts) return;
    this.#scripts = now;
    for (const listener of this.#listeners) listener(this);
  }

  /** Asynchronous: a network file system may not answer for long. */
  #look(): void {
    void this.#lookAtScripts();
    fs.stat(this.#file, { bigint: true }, (error, stats) => {
      if (this.#timer !== undefined && stateOf(error ? undefined : stats) !== this.#seen) this.#readChanged();
    });
  }

  #readChanged(): void {
    const reading = this.#read();
    clearTimeout(this.#secondLook);
    if (reading.failure === null) this.#take(reading);
    else this.#secondLook = setTimeout(() => this.reload(), SECOND_LOOK).unref();
  }

  #take(reading: Reading): void {
    clearTimeout(this.#secondLook);
    const { text, failure } = this.#reading;
    if (reading.text === text && reading.failure?.message === failure?.message) return;
    this.#reading = reading;
    if (reading.rules) {
      this.#rules = reading.rules;
      this.#scripts = scriptFilesState(this.forEngine());
    }
    for (const listener of this.#listeners) listener(this);
  }

  #write(text: string): void {
    try {
      // A symbolic link stays one.
      writePrivateFile(fs.existsSync(this.#file) ? fs.realpathSync(this.#file) : this.#file, text);
    } catch (error) {
      const detail = fileProblem(error, this.#file);
      throw roundtripError('rules.write-failed', { path: this.#file, detail }, systemCode(error));
    }
  }
}
