import { describe, expect, it, onTestFinished } from 'vitest';
import { findChromium, LabBrowser } from '../../../../electron/lab/browser/lab-browser.ts';
import { BrowsingContext } from '../../../../electron/lab/browser/load-page.ts';
import { chromiumPath } from '../../../support/chromium.ts';

interface Target {
  type: string;
  url: string;
}

describe.skipIf(chromiumPath() === null)('the browser of the lab', () => {
  it("does not load pages of Chromium's user interface beside the measured one", async () => {
    const where = { resolverRules: 'MAP * ~NOTFOUND', spkiHash: '', webSecurity: true };
    const browser = await LabBrowser.start({ browser: await findChromium(), ...where });
    onTestFinished(() => browser.close());
    const context = await BrowsingContext.open(browser.devtools);
    const listed = async () => {
      const { targetInfos } = await browser.devtools.call('Target.getTargets', { filter: [{}] });
      return targetInfos as Target[];
    };
    let during: Target[] = [];
    const settled = async () => {
      during = await listed();
    };
    await context.visit({ url: 'data:text/html,<p>page', script: '', settled }).catch(() => null);
    expect(during.map(({ url }) => url)).toContain('data:text/html,<p>page');
    expect(during.filter(({ type }) => type === 'browser_ui')).toEqual([]);
  });
});
