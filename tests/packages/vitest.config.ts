import { defineConfig } from 'vitest/config';

/**
 * `npm run test:packages`: builds real packages and runs them, and the containers of docs/fleet where Docker runs. It
 * takes a quarter of an hour and stays out of `npm test`.
 */
export default defineConfig({
  test: {
    include: ['tests/packages/**/*.test.ts'],
    testTimeout: 1_800_000,
    hookTimeout: 1_800_000,
    fileParallelism: false,
  },
});
