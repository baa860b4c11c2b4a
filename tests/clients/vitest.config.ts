import { defineConfig } from 'vitest/config';

/** `npm run test:clients`: other projects' suites, which take half an hour and stay out of `npm test`. */
export default defineConfig({
  test: {
    include: ['tests/clients/**/*.test.ts'],
    globalSetup: ['tests/support/engine-ca.ts'],
    testTimeout: 3_600_000,
    hookTimeout: 900_000,
    fileParallelism: false,
  },
});
