import type { Phase } from './phases.ts';

/** The theme's colour of each phase. */
const COLOURS: Record<Exclude<Phase['key'], 'tries'>, string> = {
  blocked: '--blocked',
  rules: '--rules',
  dns: '--dns',
  connect: '--connect',
  ssl: '--ssl',
  send: '--send',
  heldBody: '--rules',
  wait: '--wait',
  held: '--rules',
  receive: '--receive',
  unsplit: '--blocked',
};

/** Striped: failed attempts are a part of being blocked. It shows where the layer above is transparent. */
const TRIES = 'repeating-linear-gradient(135deg, var(--bad) 0 3px, var(--blocked) 3px 6px)';

function colourOf(key: Phase['key']): string {
  return key === 'tries' ? 'transparent' : `var(${COLOURS[key]})`;
}

/**
 * The CSS background of a bar: its phases side by side, and Roundtrip's overhead as a line below. One element instead
 * of one for each phase: a list that scrolls draws 40 bars in each frame.
 */
export function barBackground(phases: readonly Phase[], { total, overhead }: { total: number; overhead: number }) {
  const percent = (time: number) => `${total > 0 ? Number(((time / total) * 100).toFixed(2)) : 0}%`;
  const end = phases.reduce((sum, { duration }) => sum + duration, 0);
  const stops = phases.map(({ key, start, duration }) => {
    return `${colourOf(key)} ${percent(start)} ${percent(start + duration)}`;
  });
  const layers = [
    ...(overhead > 0 ? [`linear-gradient(var(--overhead) 0 0) 0 100% / ${percent(overhead)} 3px no-repeat`] : []),
    ...(stops.length > 0 ? [`linear-gradient(to right, ${stops.join(', ')}, transparent ${percent(end)})`] : []),
    ...(phases.some(({ key }) => key === 'tries') ? [TRIES] : []),
  ];
  // Below them, the colour of what the phases leave out. A shorthand without a colour would reset it.
  return [...layers, 'var(--blocked)'].join(', ');
}
