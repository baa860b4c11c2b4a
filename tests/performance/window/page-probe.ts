/** What a page records of itself; times are milliseconds since it began to load. */
export interface Probe {
  /** The current phase; frames are counted by it. */
  phase: string;
  /** The longest time between two frames, by phase, and how many took more than 50 ms. */
  worst: Record<string, number>;
  slow: Record<string, number>;
  /** When the first row arrived, and the last of `rows`; 0: not yet. */
  newest: number;
  all: number;
}

/**
 * Runs in the page before its scripts. `wanted`: how many rows there will be, as the window writes it. Formatting it
 * here would load the browser's data for numbers: 10 ms, up to 50 on a busy machine, that the figures would include.
 */
export function installProbe(wanted: string): void {
  const probe: Probe = { phase: 'load', worst: {}, slow: {}, newest: 0, all: 0 };
  let last = 0;
  const frame = (at: number) => {
    if (last > 0) {
      probe.worst[probe.phase] = Math.max(probe.worst[probe.phase] ?? 0, at - last);
      probe.slow[probe.phase] = (probe.slow[probe.phase] ?? 0) + Number(at - last > 50);
    }
    last = at;
    if (probe.newest === 0 && document.querySelector('[data-exchange]')) probe.newest = performance.now();
    const counts = document.querySelector('[data-testid="counts"]')?.textContent ?? '';
    if (probe.all === 0 && counts.startsWith(wanted)) probe.all = performance.now();
    requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
  Object.assign(window, { probe });
}

/** Runs in the page. Scrolls through the list in two seconds, from one end to the other. */
export async function scrollThrough(): Promise<void> {
  const list = document.querySelector('[role="grid"]');
  if (list === null) throw new Error('there is no list');
  const began = performance.now();
  const height = list.scrollHeight;
  for (let gone = 0; gone < 2000; gone = performance.now() - began) {
    list.scrollTop = height * (1 - gone / 2000);
    await new Promise((resolve) => requestAnimationFrame(resolve));
  }
}

/**
 * Runs in the page. Milliseconds from a click on the column's header until exchange `first` is painted in the first
 * row.
 */
export async function sortBy({ column, first }: { column: string; first: number }): Promise<number> {
  const headers = [...document.querySelectorAll<HTMLElement>('[role="columnheader"] button')];
  const header = headers.find((each) => each.textContent === column);
  if (header === undefined) throw new Error(`there is no column ${column}`);
  const began = performance.now();
  header.click();
  while (document.querySelector('[aria-rowindex="2"]')?.getAttribute('data-exchange') !== String(first)) {
    if (performance.now() - began > 20_000) throw new Error(`${column} was never sorted`);
    await new Promise((resolve) => requestAnimationFrame(resolve));
  }
  // The last requested frame is drawn when a later task runs.
  await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
  return performance.now() - began;
}
