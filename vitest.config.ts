import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['tests/{unit,contract,integration,transparency,fuzz}/**/*.test.{ts,tsx}'],
    globalSetup: ['tests/support/engine-ca.ts'],
    testTimeout: 20_000,
    hookTimeout: 30_000,
    // Two cores: real sockets and real clients in several files at once would starve each other's time limits.
    maxWorkers: 2,
    reporters: ['default', 'json'],
    outputFile: { json: 'test-results/vitest.json' },
  },
});
