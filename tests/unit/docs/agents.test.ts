import fs from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { TOOLS } from '../../../electron/mcp/tools/tools.ts';

it('docs/agents.md lists every tool, and no other', () => {
  const page = fs.readFileSync(path.resolve('docs/agents.md'), 'utf8');
  const [, table = ''] = /^\| tool \|.*\n\| --- .*\n((?:\|.*\n)+)/m.exec(page) ?? [];
  const listed = table.split('\n').flatMap((row) => [...(row.split('|')[1] ?? '').matchAll(/`(\w+)`/g)]);
  expect(listed.map(([, name]) => name).sort()).toEqual(TOOLS.map(({ name }) => name).sort());
});
