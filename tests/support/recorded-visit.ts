import fs from 'node:fs';
import path from 'node:path';
import { type BrowserContext, chromium } from 'playwright-core';
import { browserSpki } from './browser-spki.ts';
import { CHROMIUM_FLAGS, chromiumPath } from './chromium.ts';
import { RoundtripCli } from './roundtrip-cli.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** Milliseconds for one step on a busy machine. */
const LIMIT = 120_000;

/**
 * The session of what a real Chromium asked for through the built `roundtrip record`, complete. `visit` must wait for
 * what should be recorded.
 */
export async function recordedVisit(
  visit: (context: BrowserContext) => Promise<void>,
  options: readonly string[] = [],
): Promise<string> {
  const executablePath = chromiumPath();
  if (executablePath === null) throw new Error('a test without Chromium is to be skipped');
  const folder = temporaryFolder();
  const session = path.join(folder, 'session.roundtrip');
  const own = ['--json', '--port', '0', '--ui-port', '0', '--data-dir', folder, '--session', session];
  const cli = new RoundtripCli(['record', ...own, '--har', path.join(folder, 'out.har'), ...options], { folder });
  const { proxy, ca } = await cli.ready();
  // Service workers refuse a certificate accepted by a click.
  const trust = `--ignore-certificate-errors-spki-list=${browserSpki(fs.readFileSync(ca, 'utf8'))}`;
  const proxied = { server: proxy, bypass: '<-loopback>' };
  const browser = await chromium.launch({
    executablePath,
    args: [...CHROMIUM_FLAGS, trust],
    proxy: proxied,
    timeout: LIMIT,
  });
  try {
    const context = await browser.newContext();
    context.setDefaultTimeout(LIMIT);
    await visit(context);
  } finally {
    await browser.close();
  }
  cli.child.kill('SIGINT');
  await cli.finished;
  return session;
}
