import { defineConfig } from '@playwright/test';

export default defineConfig({
  testDir: 'tests/e2e',
  testMatch: '**/*.e2e.ts',
  // CI has two cores, and a test uses 0.65 of one: it waits for its host and its pages.
  workers: 3,
  // A limit ends a test that hangs; it says nothing about speed. Other work may slow this machine thirty times.
  timeout: 300_000,
  expect: { timeout: 90_000 },
  outputDir: 'test-results/e2e',
  reporter: [['list'], ['json', { outputFile: 'test-results/playwright.json' }]],
});
