import { describe, expect, it } from 'vitest';
import { SessionFacts } from '../../../electron/session/insight/session-facts.ts';
import { SessionReader } from '../../../electron/session/read/session-reader.ts';
import { findIn } from '../../../shared/insight/find.ts';
import { chromiumPath } from '../../support/chromium.ts';
import { APP_SCRIPTS } from '../../support/good-apps/app-scripts.ts';
import { goodAppsOrigin } from '../../support/good-apps/good-apps-origin.ts';
import { recordedVisit } from '../../support/recorded-visit.ts';
import { TIMED_RULES } from '../../support/timed-rules.ts';

const NEEDS = 600_000;
/** The app whose second visit finds its document unchanged (304). */
const TWICE = 'routes';
/** For one visit. */
const LIMIT = 60_000;

describe.skipIf(chromiumPath() === null)('apps that use the network as they should', () => {
  it.each([
    ['HTTP/2', []],
    ['HTTP/1.1', ['--no-http2']],
  ])(
    'give no finding when Chromium loads them over %s',
    async (_protocol, options) => {
      const { shop, caPath } = await goodAppsOrigin();
      const session = await recordedVisit(
        async (context) => {
          for (const app of Object.keys(APP_SCRIPTS)) {
            const page = await context.newPage();
            for (let visit = 0; visit < (app === TWICE ? 2 : 1); visit++) {
              await page.goto(shop + app);
              const ended = { timeout: LIMIT, message: `${app}, visit ${visit + 1}` };
              await expect.poll(() => page.title(), ended).toMatch(/^(?:done|failed)/);
              expect(`${app}: ${await page.title()}`).toBe(`${app}: done`);
            }
            await page.close();
          }
        },
        ['--upstream-ca', caPath, ...options],
      );
      const reader = new SessionReader(session);
      const facts = await new SessionFacts(reader).read();
      reader.close();
      const found = findIn(facts).filter(({ rule }) => !TIMED_RULES.has(rule));
      expect(found.map(({ rule, title, detail }) => `${rule}: ${title} ${detail}`)).toEqual([]);
      const statuses = new Set(facts.map(({ status }) => status));
      expect([200, 204, 206, 304, 101].filter((status) => !statuses.has(status))).toEqual([]);
    },
    NEEDS,
  );
});
