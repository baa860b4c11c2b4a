import { expect, test } from 'vitest';
import { bodyFileName } from '../../../../shared/format/body-file-name.ts';

test.each([
  ['/assets/app.js?v=3', 'text/javascript', 'app.js', 'js'],
  ['/v1/products?limit=8', 'application/json', 'products.json', 'json'],
  ['/', 'text/html', 'body.html', 'html'],
  ['/a/..', 'text/plain', 'body.txt', 'txt'],
  ['/x/..%2f..%2fetc%2fpasswd', '', '2f.._2fetc_2fpasswd.bin', 'bin'],
  ['/problem', 'application/problem+json', 'problem.json', 'json'],
  ['/photo', 'image/webp', 'photo.webp', 'webp'],
  ['/thing', 'constructor', 'thing.bin', 'bin'],
])('%s of %s', (path, mediaType, name, extension) => {
  expect(bodyFileName(path, mediaType)).toEqual({ name, extension });
});
