import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';
import { startOptions } from '../../../../electron/main/start-options.ts';

it('takes files as paths and as URLs, and leaves other arguments to Chromium', () => {
  const base = path.resolve('/base');
  const named = path.resolve('/a folder/100%.har');
  const args = ['--no-sandbox', 'x.saz', pathToFileURL(named).href, 'https://a.test/b', 'notes.txt'];
  expect(startOptions(args, base).files).toEqual([path.join(base, 'x.saz'), named]);
});

it('starts with a URL that names no local file', () => {
  expect(startOptions(['file://server/%zz/a.har'], path.resolve('/base')).files).toHaveLength(1);
});
