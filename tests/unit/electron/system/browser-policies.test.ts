import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { overrulingPolicy } from '../../../../electron/system/browser-policies.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

function put(root: string, file: string, policies: unknown): void {
  fs.mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
  fs.writeFileSync(path.join(root, file), JSON.stringify(policies));
}

describe('a policy that overrules a proxy setting', () => {
  it('is named with its file', () => {
    const root = temporaryFolder();
    put(root, 'etc/opt/chrome/policies/managed/a.json', { HomepageLocation: 'x' });
    expect(overrulingPolicy('chrome', root)).toBe('');
    put(root, 'etc/opt/chrome/policies/managed/b.json', { ProxyMode: 'direct' });
    expect(overrulingPolicy('chrome', root)).toMatch(/^The policy ProxyMode in .*b\.json overrules/);
    put(root, 'etc/firefox/policies/policies.json', { policies: { Proxy: { Mode: 'none' } } });
    expect(overrulingPolicy('firefox', root)).toMatch(/^The policy Proxy in /);
  });

  it('is none where there is none, or its file cannot be read', () => {
    const root = temporaryFolder();
    expect(overrulingPolicy('edge', root)).toBe('');
    fs.mkdirSync(path.join(root, 'etc/opt/edge/policies/managed'), { recursive: true });
    fs.writeFileSync(path.join(root, 'etc/opt/edge/policies/managed/a.json'), '{');
    expect(overrulingPolicy('edge', root)).toBe('');
  });
});
