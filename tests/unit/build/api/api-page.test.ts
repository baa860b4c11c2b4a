import fs from 'node:fs';
import { describe, expect, it } from 'vitest';
import { API_PAGE, apiPage } from '../../../../build/api/api-page.ts';

describe('docs/api.md', () => {
  it('matches the contract (node build/api/api-page.ts writes it)', async () => {
    expect(fs.readFileSync(API_PAGE, 'utf8')).toBe(await apiPage());
  });

  it('describes requests, events and the types that they use', async () => {
    const page = await apiPage();
    expect(page).toContain('### `exchanges.page`\n\n- input: `{ session: string /* length <= 64 */; after: number');
    expect(page).toContain('### `feed.batch`');
    expect(page).toContain('### Exchange\n');
  });
});
