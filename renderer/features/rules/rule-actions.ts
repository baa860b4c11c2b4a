import { IMPORT_LIMIT } from '../../../shared/contract/requests/rule-requests.ts';
import type { Rule, RuleList } from '../../../shared/model/rule/rule.ts';
import { showToast } from '../../state/window-state.ts';
import { type App, attempt } from '../app-context.ts';
import { freeName } from './rule-words.ts';

function without(rules: readonly Rule[], at: number): Rule[] {
  return rules.filter((_rule, index) => index !== at);
}

function inserted(rules: readonly Rule[], at: number, rule: Rule): Rule[] {
  return [...rules.slice(0, at), rule, ...rules.slice(at)];
}

/** The groups of a list, in the order of their first rules. */
export function groupsOf(rules: readonly Rule[]): string[] {
  return [...new Set(rules.flatMap(({ group }) => group ?? []))];
}

/** Replaces the list. Returns false, and shows why, if the host refuses it: a group without rules can't be off. */
async function updateRules(app: App, list: RuleList): Promise<boolean> {
  const groups = groupsOf(list.rules);
  const rules = { ...list, groupsOff: list.groupsOff.filter((group) => groups.includes(group)) };
  const state = await attempt(app, () => app.api.request('rules.update', { rules }));
  if (state) app.store.setState({ rules: state });
  return state !== null;
}

/**
 * Puts a rule in the place of the one with the name `replaces`; null: it is new, and comes last. By name: while the
 * form was open, the file or another window may have moved, added or removed rules. One that is gone is added again.
 */
export async function saveRule(app: App, replaces: string | null, rule: Rule): Promise<boolean> {
  const list = app.store.getState().rules?.rules;
  if (!list) return false;
  const isThere = list.rules.some(({ name }) => name === replaces);
  const rules = isThere ? list.rules.map((each) => (each.name === replaces ? rule : each)) : [...list.rules, rule];
  return await updateRules(app, { ...list, rules });
}

/** Switches all rules of a group on or off; each keeps its own switch. */
export async function switchGroup(app: App, group: string, isOn: boolean): Promise<void> {
  const list = app.store.getState().rules?.rules;
  if (!list) return;
  const others = list.groupsOff.filter((each) => each !== group);
  await updateRules(app, { ...list, groupsOff: isOn ? others : [...others, group] });
}

/** Moves a rule by one place, because the order decides which rules apply; the first and the last stay. */
export async function moveRule(app: App, at: number, by: -1 | 1): Promise<void> {
  const list = app.store.getState().rules?.rules;
  const rule = list?.rules[at];
  if (!list || !rule || at + by < 0 || at + by >= list.rules.length) return;
  await updateRules(app, { ...list, rules: inserted(without(list.rules, at), at + by, rule) });
}

/**
 * Adds the rules of another program's file at the end of the list. Returns a line for each item that has no equivalent;
 * null if nothing was imported.
 */
export async function importRulesFile(app: App, file: File): Promise<readonly string[] | null> {
  if (file.size > IMPORT_LIMIT) {
    const message = `${file.name} is too large for the window. Use: roundtrip rules import FILE --out rules.json`;
    showToast(app.store, { tone: 'error', code: null, message, link: null });
    return null;
  }
  const imported = await attempt(app, async () =>
    app.api.request('rules.import', { name: file.name, text: await file.text() }),
  );
  // Read now: another window or the file may have changed the list meanwhile.
  const list = app.store.getState().rules?.rules;
  if (!list || !imported) return null;
  const rules = [...list.rules];
  for (const rule of imported.rules) rules.push({ ...rule, name: freeName(rule.name, rules) });
  const isUpdated = imported.rules.length === 0 || (await updateRules(app, { ...list, rules }));
  return isUpdated ? imported.skipped : null;
}

/** Removes a rule, and offers to put it back where it was. */
export async function removeRule(app: App, at: number): Promise<void> {
  const list = app.store.getState().rules?.rules;
  const rule = list?.rules[at];
  if (!list || !rule || !(await updateRules(app, { ...list, rules: without(list.rules, at) }))) return;
  // The list may have changed in the meantime, also by another window or the file.
  const undo = () => {
    const now = app.store.getState().rules?.rules;
    if (!now) return;
    // The group was forgotten with its last rule: it is off again if it was.
    const off = list.groupsOff.filter((group) => group === rule.group && !groupsOf(now.rules).includes(group));
    void updateRules(app, { ...now, groupsOff: [...now.groupsOff, ...off], rules: inserted(now.rules, at, rule) });
  };
  const message = `The rule "${rule.name}" was removed.`;
  showToast(app.store, { tone: 'done', code: null, message, link: null, action: { label: 'Undo', run: undo } });
}
