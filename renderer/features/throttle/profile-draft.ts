import { type CustomProfile, parseProfile } from '../../../shared/model/rule/throttle.ts';

/** A number of a profile; everything but its name. */
export type Figure = Exclude<keyof CustomProfile, 'name'>;

/** The profile as text fields; an empty figure is not limited. */
export type ProfileText = Record<keyof CustomProfile, string>;

/** The fields in display order. `hint` is what an empty field means. */
export const FIGURE_FIELDS: readonly { name: Figure; label: string; hint: string }[] = [
  { name: 'downKbps', label: 'Down, kbit/s', hint: 'no limit' },
  { name: 'upKbps', label: 'Up, kbit/s', hint: 'no limit' },
  { name: 'rttMs', label: 'Round trip, ms', hint: '0' },
  { name: 'jitterMs', label: 'Jitter, ms', hint: '0' },
  { name: 'lossPercent', label: 'Loss, %', hint: '0' },
  { name: 'seed', label: 'Seed', hint: '1' },
];

/** The form's texts for a profile; `profileFrom` reads them back. */
export function profileText(profile: CustomProfile): ProfileText {
  const figures = FIGURE_FIELDS.map(({ name }) => [name, profile[name] === undefined ? '' : String(profile[name])]);
  return { name: profile.name, ...Object.fromEntries(figures) };
}

/** The profile, or the first problem. */
export function profileFrom(text: ProfileText): { profile: CustomProfile } | { problem: string } {
  const figures = FIGURE_FIELDS.flatMap(({ name }) => (text[name].trim() === '' ? [] : [[name, Number(text[name])]]));
  const parsed = parseProfile({ name: text.name, ...Object.fromEntries(figures) });
  if (parsed.ok) return { profile: parsed.profile };
  const label = FIGURE_FIELDS.find(({ name }) => name === parsed.field)?.label ?? 'Name';
  return { problem: `${label}: ${parsed.problem}` };
}
