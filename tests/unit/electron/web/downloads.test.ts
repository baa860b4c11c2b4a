import fs from 'node:fs';
import { text } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished } from 'vitest';
import { Downloads } from '../../../../electron/web/downloads.ts';

async function promised(content: string) {
  const downloads = new Downloads();
  onTestFinished(() => downloads.close());
  const target = await downloads.choose({ name: 'a.har' });
  fs.writeFileSync(target.path, content);
  return { downloads, target };
}

describe('downloads', () => {
  it('serves a file once, at its announced address', async () => {
    const { downloads, target } = await promised('content');
    const saved = await target.finish({ bytes: 7, exchanges: 1 });
    if (saved.status !== 'ready') throw new Error(saved.status);
    const file = downloads.take(saved.url);
    expect(file).toMatchObject({ name: 'a.har', bytes: 7 });
    expect(file && (await text(file.stream))).toBe('content');
    expect(downloads.take(saved.url)).toBeNull();
    expect(fs.existsSync(target.path)).toBe(false);
  });

  it('serves nothing before the file is complete, or at another address', async () => {
    const { downloads, target } = await promised('content');
    const id = target.path.split('/').at(-1);
    expect(downloads.take(`/download/${id}`)).toBeNull();
    await target.finish({ bytes: 7, exchanges: 1 });
    expect(downloads.take(`/download/${id}x`)).toBeNull();
    expect(downloads.take('/download/')).toBeNull();
  });

  it('removes cancelled files, and files that were not fetched', async () => {
    const { downloads, target } = await promised('content');
    await target.discard();
    expect(fs.existsSync(target.path)).toBe(false);
    const other = await downloads.choose({ name: 'b.har' });
    fs.writeFileSync(other.path, 'content');
    expect(fs.statSync(other.path.replace(/\/[^/]+$/, '')).mode & 0o777).toBe(0o700);
    downloads.close();
    expect(fs.existsSync(other.path)).toBe(false);
  });
});
