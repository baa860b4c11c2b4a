import fs from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { RequestStore } from '../../../../../../electron/commands/services/replay/request-store.ts';
import type { SavedRequests } from '../../../../../../shared/model/replay/saved-requests.ts';
import { temporaryFolder } from '../../../../../support/temporary-folder.ts';

const SAVED: SavedRequests = {
  version: 1,
  variables: { host: 'a.test' },
  requests: [
    {
      name: 'tea',
      request: {
        ...{ method: 'GET', url: 'https://{{host}}/tea', headers: [], body: { kind: 'none' }, protocol: 'as-before' },
        ...{ rules: true, route: 'configured', redirects: false, variables: true },
      },
    },
  ],
};

function store() {
  const folder = temporaryFolder();
  return { requests: new RequestStore(folder), file: path.join(folder, 'requests.json') };
}

it('keeps requests in a plain file that only its owner can read', () => {
  const { requests, file } = store();
  expect(requests.state()).toEqual({ path: file, saved: { version: 1, variables: {}, requests: [] }, failure: null });
  expect(requests.update(SAVED).saved).toEqual(SAVED);
  expect(JSON.parse(fs.readFileSync(file, 'utf8'))).toEqual(SAVED);
  expect(fs.readFileSync(file, 'utf8').split('\n').length).toBeGreaterThan(10);
  if (process.platform !== 'win32') expect(fs.statSync(file).mode & 0o777).toBe(0o600);
});

it('does not overwrite what another program wrote, nor a file that it cannot read', () => {
  const { requests, file } = store();
  requests.state();
  fs.writeFileSync(file, JSON.stringify({ ...SAVED, variables: { host: 'b.test' } }));
  expect(() => requests.update(SAVED)).toThrow('changed by another program');
  expect(requests.update(SAVED).saved).toEqual(SAVED);
  fs.writeFileSync(file, '{ "version": 2 }');
  expect(requests.state()).toMatchObject({
    saved: { requests: [] },
    failure: { code: 'requests.unreadable', message: expect.stringContaining('version: expected 1') },
  });
  expect(() => requests.update(SAVED)).toThrow('cannot be read');
  expect(fs.readFileSync(file, 'utf8')).toBe('{ "version": 2 }');
});
