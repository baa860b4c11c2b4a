import os from 'node:os';
import type { LabOptions, LabProgress, LabResult } from '../../shared/model/lab/lab-result.ts';
import { openCertificateAuthority } from '../engine/ca/certificate-authority.ts';
import { openSource } from '../session/import/open-source.ts';
import type { SessionReader } from '../session/read/session-reader.ts';
import { makeOwnedFolder, removeOwnedFolder } from '../system/launch/owned-folder.ts';
import { findChromium, LabBrowser } from './browser/lab-browser.ts';
import { LabLoads } from './lab-loads.ts';
import { readPage } from './page/read-page.ts';
import type { RecordedPage } from './page/recorded-page.ts';
import { ReplayNetwork } from './replay/replay-network.ts';
import { labNotes } from './results/lab-notes.ts';
import { LabRuns } from './results/lab-runs.ts';
import { savingsOf } from './results/saving.ts';

/**
 * The cases of one round, in an order that differs from round to round: slow drifts of the machine affect all equally.
 */
function roundOf(runs: readonly LabRuns[], round: number): LabRuns[] {
  const from = round % runs.length;
  return [...runs.slice(from), ...runs.slice(0, from)];
}

async function measure(
  loads: LabLoads,
  { runs, variants, rtts }: LabOptions,
  onProgress: (progress: LabProgress) => void,
  signal: AbortSignal,
): Promise<LabRuns[]> {
  const all = rtts.flatMap((rtt) => variants.map((variant) => new LabRuns({ variant, rtt })));
  const total = all.length * runs;
  let done = 0;
  signal.throwIfAborted();
  // The first load of a browser is slower than all others.
  await loads.warmUp();
  for (let round = 0; round < runs; round += 1) {
    for (const each of roundOf(all, round)) {
      signal.throwIfAborted();
      onProgress({ done, total, next: each.case });
      await loads.load(each);
      done += 1;
    }
  }
  onProgress({ done, total, next: null });
  return all;
}

interface Stage {
  page: RecordedPage;
  network: ReplayNetwork;
  loads: LabLoads;
}

/**
 * Sets up origins and browser, uses them, and always closes them. When the signal aborts, the browser ends at once: a
 * load can take minutes.
 */
async function onStage<T>(
  reader: SessionReader,
  options: LabOptions,
  signal: AbortSignal,
  work: (stage: Stage) => Promise<T>,
): Promise<T> {
  const page = await readPage(reader, options.page, options.document);
  const browser = await findChromium();
  const folder = makeOwnedFolder(os.tmpdir(), 'roundtrip-lab-ca-');
  const closing: (() => unknown)[] = [() => removeOwnedFolder(folder)];
  try {
    // A separate CA: the replay's certificates name other people's hosts, and nothing else should ever trust them.
    const authority = await openCertificateAuthority(folder);
    const network = await ReplayNetwork.open(page, (id) => reader.bodyPieces(id, 'response'), authority);
    closing.push(() => network.close());
    const { resolverRules } = network;
    const { spkiHash } = authority;
    const start = (webSecurity: boolean) => LabBrowser.start({ browser, resolverRules, spkiHash, webSecurity });
    const loads = new LabLoads({ page, network, start, bandwidth: options.bandwidth });
    const close = () => loads.close();
    closing.push(close);
    signal.addEventListener('abort', close);
    closing.push(() => signal.removeEventListener('abort', close));
    return await work({ page, network, loads });
  } catch (error) {
    // Whatever the load met when its browser ended.
    signal.throwIfAborted();
    throw error;
  } finally {
    for (const close of closing.toReversed()) await close();
  }
}

/**
 * Replays a recorded page to a real Chromium, variant by variant, and compares the times. `source`: a session file or
 * HAR. Rejects as `openSource` does, with `lab.no-page`, `lab.no-document`, `lab.no-browser`, `browser.start-failed`,
 * `lab.load-failed` or `lab.browser-ended`, and with the signal's reason.
 */
export async function runLab(
  source: string,
  options: LabOptions,
  onProgress: (progress: LabProgress) => void,
  signal: AbortSignal,
): Promise<LabResult> {
  const opened = await openSource(source, signal);
  return await onStage(opened.reader, options, signal, async ({ page, network, loads }) => {
    const runs = await measure(loads, options, onProgress, signal);
    const cells = runs.map((each) => each.cell());
    const { number, url, startedAt } = page;
    return {
      page: { number, url, startedAt, responses: page.responses.length, origins: network.origins },
      browser: await loads.browserVersion(),
      ...{ bandwidth: options.bandwidth, runs: options.runs, cells },
      savings: savingsOf(cells, page.wasHttp2),
      notes: labNotes(page, runs, loads.lossy),
    };
  }).finally(() => opened.close());
}
