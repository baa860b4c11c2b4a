import {
  type GivenLimits,
  LIMIT_NAMES,
  LIMITS,
  type LimitEntry,
  type LimitName,
  limitProblem,
} from '../../../shared/model/limits.ts';

/** The unit shown next to a limit's input. */
export const UNIT_NAMES: Record<LimitEntry['unit'], string> = { bytes: 'KB', ms: 's', count: '' };
/** How many of the setting's unit make one of the form's: settings are in bytes and milliseconds. */
const IN_FORM: Record<LimitEntry['unit'], number> = { bytes: 1024, ms: 1000, count: 1 };

/** The form's input texts, in the units of `UNIT_NAMES`. They may be invalid while the user types. */
export type LimitsDraft = Record<LimitName, string>;

/** A limit's value, in the unit of the setting, as the form shows it. */
function limitText(name: LimitName, value: number): string {
  return String(value / IN_FORM[LIMITS[name].unit]);
}

/** A limit's default as the form shows it. */
export function usualText(name: LimitName): string {
  return limitText(name, LIMITS[name].value);
}

/** The form's texts for the limits that were changed; the others get their defaults. */
export function limitsDraft(given: GivenLimits): LimitsDraft {
  const texts = LIMIT_NAMES.map((name) => [name, limitText(name, given[name] ?? LIMITS[name].value)]);
  return Object.fromEntries(texts) as LimitsDraft;
}

// Number('') is 0, which is a valid count: an empty input has to be an error instead.
function limitValue(name: LimitName, text: string): number {
  return text.trim() === '' ? Number.NaN : Math.round(Number(text) * IN_FORM[LIMITS[name].unit]);
}

/** An error message with the allowed range if the text is invalid, or null. */
export function limitTextProblem(name: LimitName, text: string): string | null {
  if (limitProblem(name, limitValue(name, text)) === null) return null;
  const { min, max, unit } = LIMITS[name];
  const range = `${limitText(name, min)} to ${limitText(name, max)} ${UNIT_NAMES[unit]}`;
  return `Enter a number from ${range.trim()}.`;
}

/** The limits that differ from their default. Defaults are not stored: a later version can change them. */
export function givenLimits(draft: LimitsDraft): GivenLimits {
  const values = LIMIT_NAMES.map((name) => [name, limitValue(name, draft[name])] as const);
  return Object.fromEntries(values.filter(([name, value]) => value !== LIMITS[name].value));
}
