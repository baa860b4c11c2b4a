import path from 'node:path';
import { pythonWith } from '../../support/test-python.ts';
import type { FaultyClient } from './client.ts';
import { runProgram } from './program.ts';

const PYTHON = pythonWith('httpx', 'h2');

export const httpx: FaultyClient = {
  name: 'httpx',
  missing: () => (PYTHON === null ? 'no Python with httpx and h2' : null),
  outcomes: (target, faults) =>
    runProgram(PYTHON ?? '', [path.join(import.meta.dirname, 'ask_httpx.py')], target, faults),
};
