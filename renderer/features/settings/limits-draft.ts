import {
  type GivenLimits,
  LIMIT_NAMES,
  LIMITS,
  type LimitEntry,
  type LimitName,
  limitProblem,
} from '../../../shared/model/limits.ts';

/** How a limit is written in the form. */
export const UNIT_NAMES: Record<LimitEntry['unit'], string> = { bytes: 'KiB', ms: 's', count: '' };
const IN_FORM: Record<LimitEntry['unit'], number> = { bytes: 1024, ms: 1000, count: 1 };

/** The texts of the form. */
export type LimitsDraft = Record<LimitName, string>;

export function limitText(name: LimitName, value: number): string {
  return String(value / IN_FORM[LIMITS[name].unit]);
}

export function usualText(name: LimitName): string {
  return limitText(name, LIMITS[name].value);
}

export function limitsDraft(given: GivenLimits): LimitsDraft {
  const texts = LIMIT_NAMES.map((name) => [name, limitText(name, given[name] ?? LIMITS[name].value)]);
  return Object.fromEntries(texts) as LimitsDraft;
}

function limitValue(name: LimitName, text: string): number {
  return text.trim() === '' ? Number.NaN : Math.round(Number(text) * IN_FORM[LIMITS[name].unit]);
}

/** What can be written there, where the text is something else; or null. */
export function limitTextProblem(name: LimitName, text: string): string | null {
  if (limitProblem(name, limitValue(name, text)) === null) return null;
  const { min, max, unit } = LIMITS[name];
  const range = `${limitText(name, min)} to ${limitText(name, max)} ${UNIT_NAMES[unit]}`;
  return `Enter a number from ${range.trim()}.`;
}

/** Only what is not as usual is kept: defaults that get better some day reach the user. */
export function givenLimits(draft: LimitsDraft): GivenLimits {
  const values = LIMIT_NAMES.map((name) => [name, limitValue(name, draft[name])] as const);
  return Object.fromEntries(values.filter(([name, value]) => value !== LIMITS[name].value));
}
