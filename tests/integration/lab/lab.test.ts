import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { runLab } from '../../../electron/lab/run-lab.ts';
import type { LabVariant } from '../../../shared/model/lab/lab-result.ts';
import { LAB_VARIANTS } from '../../../shared/model/lab/lab-result.ts';
import { chromiumPath } from '../../support/chromium.ts';
import { pageSession, recordParts } from '../../support/page-session.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const IMAGES = 12;

async function replayed(scheme: 'http' | 'https', variants: readonly LabVariant[]) {
  const { file } = await pageSession(temporaryFolder(), scheme, IMAGES);
  const options = { page: 1, variants, rtts: [0], bandwidth: 0, runs: 1 };
  const result = await runLab(file, options, () => undefined, new AbortController().signal);
  const cell = (variant: LabVariant) => {
    const found = result.cells.find((each) => each.variant === variant);
    if (found === undefined) throw new Error(`${variant} was not measured`);
    return found;
  };
  return { result, cell };
}

describe.skipIf(chromiumPath() === null)('the lab, with the Chromium of this machine', () => {
  it('replays a page in all variants', async () => {
    const { result, cell } = await replayed('https', LAB_VARIANTS);
    expect(result.notes).toEqual([expect.stringMatching(/^The times of 304s .* are assumed: /)]);
    expect(result.cells.map(({ unanswered }) => unanswered)).toEqual(LAB_VARIANTS.map(() => 0));
    const urls = cell('http1').waterfall.map(({ url }) => url);
    expect(urls).toContain(`https://shop.test/images/${IMAGES - 1}.svg`);
    // Pinned: the page's clock, which counts whole seconds, and its random numbers are part of a URL.
    const pinned = (variant: LabVariant) => {
      const items = cell(variant).waterfall.filter(({ url }) => url.includes('/items'));
      return items.map(({ url }) => new URL(url).searchParams);
    };
    const clock = (variant: LabVariant) =>
      pinned(variant).map((of) => (Number(of.get('at')) - Math.floor(result.page.startedAt)) % 1000);
    expect([clock('http1'), clock('http2')]).toEqual([[0], [0]]);
    expect(pinned('http2').map((of) => of.get('r'))).toEqual(pinned('http1').map((of) => of.get('r')));
    expect(cell('http2').connections).toBeLessThan(cell('http1').connections);
    expect(cell('http1').preflights).toBe(1);
    expect(cell('no-preflights').preflights).toBe(0);
    expect(cell('one-host').preflights).toBe(0);
    expect(cell('bundle').requests).toBe(2);
    expect(cell('warm-cache').requests).toBeLessThan(cell('not-modified').requests);
    expect(cell('no-keep-alive').connections).toBeGreaterThan(IMAGES);
    expect(result.savings).toHaveLength(LAB_VARIANTS.length - 1);
  });

  it('replays a page of cleartext HTTP over TLS, and reports it', async () => {
    const { result, cell } = await replayed('http', ['http2']);
    expect(cell('http2').unanswered).toBe(0);
    expect(cell('http2').waterfall.length).toBeGreaterThan(IMAGES);
    expect(result.notes).toEqual(['The page was recorded over cleartext HTTP; all variants are replayed over TLS.']);
  });

  it('ends at once when it is cancelled during a load, and leaves neither browser nor files', async () => {
    const folder = temporaryFolder();
    const file = path.join(folder, 'slow.roundtrip');
    const document = { url: 'https://slow.test/', type: 'text/html', body: 'late', destination: 'document' };
    await recordParts(file, [{ ...document, wait: 3_600_000 }]);
    const places = temporaryFolder();
    const spy = vi.spyOn(os, 'tmpdir').mockReturnValue(places);
    onTestFinished(() => spy.mockRestore());
    const cancelling = new AbortController();
    const options = { page: 1, variants: ['http1' as const], rtts: [0], bandwidth: 0, runs: 1 };
    const running = runLab(file, options, () => undefined, cancelling.signal);
    const failed = expect(running).rejects.toThrow('cancelled by the test');
    // The browser's: its profile, then what it writes into it.
    const started = () => fs.globSync('roundtrip-lab-*/Default', { cwd: places }).length > 0;
    await vi.waitFor(() => expect(started()).toBe(true), { timeout: 60_000 });
    cancelling.abort(new Error('cancelled by the test'));
    await failed;
    expect(fs.readdirSync(places)).toEqual([]);
  });
});
