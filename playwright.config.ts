import { defineConfig } from '@playwright/test';

export default defineConfig({
  testDir: 'tests/e2e',
  testMatch: '**/*.e2e.ts',
  // CI has two cores, and each test waits for its own host and browser half of the time.
  workers: 2,
  // A limit ends a test that hangs; it says nothing about speed. Other work may slow this machine thirty times.
  timeout: 300_000,
  expect: { timeout: 90_000 },
  outputDir: 'test-results/e2e',
  reporter: [['list'], ['json', { outputFile: 'test-results/playwright.json' }]],
});
