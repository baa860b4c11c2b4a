import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';

/** An empty folder that is removed after the test. */
export function temporaryFolder(): string {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'roundtrip-test-'));
  onTestFinished(() => fs.rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));
  return folder;
}
