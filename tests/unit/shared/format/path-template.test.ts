import { expect, it } from 'vitest';
import { pathTemplate } from '../../../../shared/format/path-template.ts';

it.each([
  ['/', '/'],
  ['/users/17?page=2', '/users/{id}'],
  ['/users/17/orders/18#top', '/users/{id}/orders/{id}'],
  ['/v2/items', '/v2/items'],
  ['/files/3f2504e0-4f89-41d3-9a0c-0305e82c3301', '/files/{id}'],
  ['/commit/9f8b2c4d5e6fa1b2c3d4e5f60718293a4b5c6d7e/diff', '/commit/{id}/diff'],
  ['/session/01ARZ3NDEKTSV4RRFFQ69G5FAV', '/session/{id}'],
  ['/post/17.json', '/post/{id}.json'],
  ['/assets/app.5f3a9c1e.js', '/assets/app.{id}.js'],
  ['/assets/index-DkQ2x9aB.css.map', '/assets/index-{id}.css.map'],
  ['/assets/jquery-3.7.1.min.js', '/assets/jquery-3.7.1.min.js'],
  ['/blog/how-to-measure-latency', '/blog/how-to-measure-latency'],
  ['/blog/checkout-session-2024', '/blog/checkout-session-2024'],
  ['*', '*'],
  ['17', '{id}'],
])('gives %s the template %s', (path, template) => {
  expect(pathTemplate(path)).toBe(template);
});
