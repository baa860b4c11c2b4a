import { expect, it } from 'vitest';
import { siteOf } from '../../../../shared/insight/site.ts';

it.each([
  ['https://cdn.shop.test/a', 'shop.test'],
  ['https://www.shop.co.uk', 'shop.co.uk'],
  ['http://localhost:8080', 'localhost'],
  ['http://127.0.0.1:8080', '127.0.0.1'],
  ['http://[::1]:80/', '[::1]'],
])('the site of %s is %s', (url, site) => {
  expect(siteOf(url)).toBe(site);
});
