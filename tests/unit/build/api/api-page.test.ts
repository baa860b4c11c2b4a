import fs from 'node:fs';
import { describe, expect, it } from 'vitest';
import { API_PAGE, apiPage } from '../../../../build/api/api-page.ts';

describe('docs/api.md', () => {
  it('matches the contract (node build/api/api-page.ts writes it)', async () => {
    expect(fs.readFileSync(API_PAGE, 'utf8')).toBe(await apiPage());
  });

  it('describes requests, events and the types that they use', async () => {
    const page = await apiPage();
    const section = page.split('### `exchanges.page`\n')[1] ?? '';
    expect(section).toMatch(/^\nRows with an id above `after`, .*\n\n- input: `\{ session: string \/\* length <= 64/);
    expect(page).toContain('### `feed.batch`');
    expect(page).toContain('### Exchange\n');
  });
});
