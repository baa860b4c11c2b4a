import { expect, it } from 'vitest';
import { withBarCharts } from '../../../../build/docs/bar-charts.ts';

const block = (lines: string) => `<p>a</p>\n<pre><code class="language-mermaid">${lines}\n</code></pre>\n<p>b</p>`;

it('draws a chart as a table with a bar for each value', () => {
  const drawn = withBarCharts(
    block(
      'xychart-beta horizontal\n  title &quot;GET &amp; POST: requests/s&quot;\n' +
        '  x-axis [&quot;direct&quot;, &quot;a &lt; b&quot;]\n  bar [2000, 500]',
    ),
  );
  expect(drawn).toBe(
    '<p>a</p>\n<table class="bars"><caption>GET &amp; POST: requests/s</caption><tbody>' +
      '<tr><th scope="row">direct</th><td><span style="width: 100.0%"></span></td><td>2,000</td></tr>' +
      '<tr><th scope="row">a &lt; b</th><td><span style="width: 25.0%"></span></td><td>500</td></tr>' +
      '</tbody></table>\n<p>b</p>',
  );
});

it('leaves other blocks as they are, and names a chart that it cannot draw', () => {
  const flow = block('flowchart LR\n  a --&gt; b');
  expect(withBarCharts(flow)).toBe(flow);
  expect(() => withBarCharts(block('xychart-beta horizontal\n  line [1]'))).toThrow("can't be drawn: xychart-beta");
});
