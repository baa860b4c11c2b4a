import { describe, expect, it } from 'vitest';
import { labReport } from '../../../../../electron/lab/report/lab-report.ts';
import type { LabResult } from '../../../../../shared/model/lab/lab-result.ts';

const RESULT: LabResult = {
  page: { number: 1, url: 'https://a.test/?q=<script>', startedAt: 1_790_000_000_000, responses: 2, origins: 1 },
  ...{ browser: 'Chromium 156', bandwidth: 0, runs: 1, savings: [], notes: ['1 exchange had "no" <response>.'] },
  cells: [
    {
      ...{ variant: 'http1', rtt: 20, times: [80], time: { median: 80, low: 80, high: 80 }, ttfb: 30 },
      ...{ requests: 1, connections: 1, preflights: 0, unanswered: 0 },
      waterfall: [{ url: 'https://a.test/?a="&b', start: 0, sent: 40, firstByte: 60, end: 70, size: 10 }],
    },
  ],
};

describe("the lab's report", () => {
  const html = labReport(RESULT);

  it('escapes what comes from the page', () => {
    expect(html).not.toContain('<script');
    expect(html).toContain('https://a.test/?q=&lt;script&gt;');
    expect(html).toContain('?a=&quot;&amp;b: 0 to 70 ms');
    expect(html).toContain('1 exchange had &quot;no&quot; &lt;response&gt;.');
  });

  it('needs no external resources', () => {
    expect(html).not.toMatch(/(?:src|href)=|@import|url\(/);
  });

  it('draws the phases of a request to scale', () => {
    expect(html).toContain('<rect class="queue" x="0.0" y="2.75" width="200.0"');
    expect(html).toContain('<rect class="wait" x="200.0" y="2" width="100.0"');
  });
});
