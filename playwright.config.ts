import { defineConfig } from '@playwright/test';

export default defineConfig({
  testDir: 'tests/e2e',
  testMatch: '**/*.e2e.ts',
  // Real browsers on two cores: one at a time.
  workers: 1,
  // A limit ends a test that hangs; it says nothing about speed. Other work may slow this machine thirty times.
  timeout: 300_000,
  expect: { timeout: 90_000 },
  outputDir: 'test-results/e2e',
  reporter: [['list'], ['json', { outputFile: 'test-results/playwright.json' }]],
});
