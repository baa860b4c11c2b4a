import fs from 'node:fs';
import path from 'node:path';
import { hasProgram } from './has-program.ts';

/** Where .ci/run puts Python with the packages that tests drive. */
const ENVIRONMENT = path.resolve(import.meta.dirname, '../../.ci/python/bin/python');

/**
 * A Python that has these modules: the tests' own one, or the system's. Null: tests that need it are skipped by name.
 */
export function pythonWith(...modules: string[]): string | null {
  const found = [ENVIRONMENT, 'python3'].filter((each) => each === 'python3' || fs.existsSync(each));
  return found.find((each) => hasProgram(each, '-c', `import ${modules.join(', ')}`)) ?? null;
}
