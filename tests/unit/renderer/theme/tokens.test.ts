import fs from 'node:fs';
import path from 'node:path';
import {
  differenceCiede2000,
  filterDeficiencyDeuter,
  filterDeficiencyProt,
  filterDeficiencyTrit,
  type Rgb,
  rgb,
} from 'culori';
import { expect, it } from 'vitest';

const TOKENS = path.resolve('renderer/theme/tokens.css');
/** Of a waterfall's bar, in the order of time. */
const PHASES = ['blocked', 'rules', 'dns', 'connect', 'ssl', 'send', 'wait', 'receive'];
const NEIGHBOURS = new Set(['blocked dns', 'dns connect', 'connect ssl', 'ssl send', 'send wait', 'wait receive']);

/** Full colour blindness of each kind, by Machado, Oliveira and Fernandes (2009). */
const EYES = {
  normal: (colour: Rgb) => colour,
  protanopia: filterDeficiencyProt(1),
  deuteranopia: filterDeficiencyDeuter(1),
  tritanopia: filterDeficiencyTrit(1),
};

/** In units of CIEDE2000, of which about 2 can just be seen in large areas. Bars are small. */
const LEAST_DIFFERENCE = 7;
const LEAST_OF_NEIGHBOURS = 14;

function coloursOf(css: string): Map<string, Rgb> {
  const found = new Map<string, Rgb>();
  for (const [, name = '', value] of css.matchAll(/--([\w-]+): (#[0-9a-f]{6});/g)) {
    const colour = rgb(value);
    if (colour !== undefined) found.set(name, colour);
  }
  return found;
}

const [light = '', dark = ''] = fs.readFileSync(TOKENS, 'utf8').split(':root[data-theme="dark"]');

it.each([
  ['light', light],
  ['dark', dark],
])('the %s theme tells phases apart by every kind of colour vision', (_theme, css) => {
  const colours = coloursOf(css);
  const difference = differenceCiede2000();
  const alike: string[] = [];
  for (const [eye, seenBy] of Object.entries(EYES))
    for (const [place, one] of PHASES.entries())
      for (const other of PHASES.slice(place + 1)) {
        const [first, second] = [colours.get(one), colours.get(other)];
        if (first === undefined || second === undefined) throw new Error(`no colour for ${one} or ${other}`);
        const least = NEIGHBOURS.has(`${one} ${other}`) ? LEAST_OF_NEIGHBOURS : LEAST_DIFFERENCE;
        const seen = difference(seenBy(first) as Rgb, seenBy(second) as Rgb);
        if (seen < least) alike.push(`${one} and ${other} with ${eye}: ${seen.toFixed(1)}`);
      }
  expect(alike).toEqual([]);
});
