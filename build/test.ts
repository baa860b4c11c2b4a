import { spawnSync } from 'node:child_process';

/** Without a build there is nothing to test; each later step runs even if others fail: one run shows all failures. */
const STEPS = ['lint', 'types', 'rooms', 'test:unit', 'fuzz', 'test:e2e'];

function run(script: string): boolean {
  // npm is a shell script on Windows.
  return spawnSync('npm', ['run', script], { stdio: 'inherit', shell: process.platform === 'win32' }).status === 0;
}

// Without a browser half of the window's tests would be skipped.
spawnSync(process.execPath, ['tests/support/install-chromium.ts'], { stdio: 'inherit' });
const failed = run('build') ? STEPS.filter((step) => !run(step)) : ['build'];
if (failed.length > 0) console.error(`Failed: ${failed.join(', ')}`);
process.exitCode = failed.length > 0 ? 1 : 0;
