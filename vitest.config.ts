import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    globalSetup: ['tests/support/engine-ca.ts'],
    // A limit ends a test that hangs; it says nothing about speed. A loaded machine can be ten times slower than an
    // idle one.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 60_000 } },
    // CI has two cores. Files that play faults or drive other programs mostly wait: the slowest ten use 0.55 of a core.
    maxWorkers: 4,
    reporters: ['default', 'json'],
    outputFile: { json: 'test-results/vitest.json' },
    projects: [
      {
        extends: true,
        test: { name: 'all', include: ['tests/{unit,contract,integration,transparency,fuzz}/**/*.test.{ts,tsx}'] },
      },
      {
        extends: true,
        test: {
          // Rules that match nothing must not change a byte.
          name: 'idle rules',
          include: ['tests/transparency/{wire,http2,http2-frames,websocket}.test.ts'],
          env: { ROUNDTRIP_IDLE_RULES: '200' },
        },
      },
    ],
  },
});
