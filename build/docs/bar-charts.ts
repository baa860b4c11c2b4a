import { escapeHtml, textOf } from './html-text.ts';

const BLOCK = /<pre><code class="language-mermaid">(xychart-beta horizontal\s.*?)<\/code><\/pre>/gs;
const CHART = /title "(.*)" x-axis \[(.*)\] bar \[(.*)\]/;

/** A table, which needs no script and which screen readers read. */
function chart(title: string, names: readonly string[], values: readonly number[]): string {
  const most = Math.max(...values);
  const rows = values.map((value, index) => {
    const bar = `<span style="width: ${((value / most) * 100).toFixed(1)}%"></span>`;
    const name = `<th scope="row">${escapeHtml(names[index] ?? '')}</th>`;
    return `<tr>${name}<td>${bar}</td><td>${value.toLocaleString('en')}</td></tr>`;
  });
  return `<table class="bars"><caption>${escapeHtml(title)}</caption><tbody>${rows.join('')}</tbody></table>`;
}

/**
 * Draws the bar charts of a page, which the Markdown has in Mermaid's notation: GitHub draws those, the site has no
 * Mermaid. Throws an Error if one has another form.
 */
export function withBarCharts(html: string): string {
  return html.replace(BLOCK, (_, source: string) => {
    const [, title = '', names, values] = CHART.exec(textOf(source)) ?? [];
    if (names === undefined || values === undefined) throw new Error(`This bar chart can't be drawn: ${source}`);
    return chart(title, JSON.parse(`[${names}]`), JSON.parse(`[${values}]`));
  });
}
