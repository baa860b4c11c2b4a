import { LAB_VARIANTS, type LabOptions, type LabVariant } from '../../../shared/model/lab/lab-result.ts';

/** The form's content: numbers as text while they are typed. */
export interface LabDraft {
  /** Its number; null: the latest. */
  page: number | null;
  /** Milliseconds, with commas between. */
  rtts: string;
  /** Mbit/s; 0: no limit. */
  bandwidth: string;
  runs: string;
  variants: readonly LabVariant[];
}

/** The form's initial content: the latest page, over three distances, in the two versions of HTTP. */
export const DEFAULT_DRAFT: LabDraft = {
  ...{ page: null, rtts: '0, 20, 100', bandwidth: '0', runs: '7' },
  variants: ['http1', 'http2'],
};

/** What is wrong with a draft, and the field to mark. */
export interface OptionsProblem {
  field: keyof LabDraft;
  sentence: string;
}

/** Null outside of the range. Plain decimals only: `Number` would read '' as 0 and take '1e3'. */
function numberIn(text: string, least: number, most: number): number | null {
  const number = /^\s*\d+(?:\.\d+)?\s*$/.test(text) ? Number(text) : Number.NaN;
  return number >= least && number <= most ? number : null;
}

function wholeIn(text: string, least: number, most: number): number | null {
  const number = numberIn(text, least, most);
  return number !== null && Number.isInteger(number) ? number : null;
}

type Checked = { ok: true; options: Omit<LabOptions, 'page'> } | { ok: false; problem: OptionsProblem };

/** The measurement that the draft describes, or the first thing wrong with it. */
export function optionsOf(draft: LabDraft): Checked {
  const refuse = (field: keyof LabDraft, sentence: string): Checked => ({ ok: false, problem: { field, sentence } });
  const given = draft.rtts.split(',').map((rtt) => numberIn(rtt, 0, 5000));
  const rtts = given.filter((rtt) => rtt !== null);
  if (rtts.length < given.length || rtts.length > 10)
    return refuse('rtts', 'Enter up to ten round trips from 0 to 5000, separated by commas.');
  const bandwidth = numberIn(draft.bandwidth, 0, 100_000);
  if (bandwidth === null) return refuse('bandwidth', 'Enter a bandwidth from 0 to 100000.');
  const runs = wholeIn(draft.runs, 1, 1000);
  if (runs === null) return refuse('runs', 'Enter 1 to 1000 loads per variant.');
  const variants = LAB_VARIANTS.filter((variant) => draft.variants.includes(variant));
  if (variants.length === 0) return refuse('variants', 'Choose at least one variant.');
  return { ok: true, options: { rtts, bandwidth, runs, variants } };
}
