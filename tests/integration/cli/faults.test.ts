import fs from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import type { FaultCell } from '../../support/fault-scene.ts';
import { cellsOf } from '../../support/faults/cells.ts';

const CELLS = (['starting', 'recording', 'finishing'] as const).flatMap(cellsOf);
const PAGE = fs.readFileSync(path.resolve('docs/faults.md'), 'utf8');

function rowOf({ state, fault, kept, printed, exit }: FaultCell): string {
  return `| ${state} | ${fault} | ${kept} | ${printed.replaceAll('\n', '<br>') || 'nothing'} | ${exit} |`;
}

it('docs/faults.md holds these cells and no others', () => {
  const rows = PAGE.split('\n').filter((line) => /^\| (?:starting|recording|finishing) \|/.test(line));
  expect(rows).toEqual(CELLS.map(rowOf));
});
