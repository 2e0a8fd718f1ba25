import { defineConfig } from 'playwright/test'
import { CHROMIUM_FLAGS, findChromium } from '#tests/support/browser/chromium.ts'

const executablePath = findChromium() ?? undefined
// The workers read this file again, and need not search again.
if (executablePath) process.env.CHROMIUM_PATH = executablePath

export default defineConfig({
  testDir: 'tests/e2e',
  testMatch: '**/*.test.ts',
  outputDir: 'test-results',
  globalSetup: './tests/support/browser/e2e-setup.ts',
  forbidOnly: true,
  // Traces make a run about a sixth longer, so only failed tests run again with one; if they pass, they count as flaky.
  retries: 1,
  // Pages wait for the network and for timers more than for a processor.
  workers: 3,
  fullyParallel: true,
  // It ends what hangs; a busy machine may take long.
  timeout: 120_000,
  expect: { timeout: 15_000 },
  reporter: [['list'], ['./tests/support/browser/skip-reporter.ts']],
  use: {
    // The set-up puts it there before the workers start.
    baseURL: process.env.BASE_URL,
    locale: 'en-US',
    timezoneId: 'UTC',
    trace: 'on-first-retry',
    screenshot: 'only-on-failure',
    launchOptions: { executablePath, args: CHROMIUM_FLAGS },
  },
  // A test that has nothing to do with the width of the window carries the tag @desktop and runs once. That phones have
  // several pixels where pages know one is for budgets.test.ts: elsewhere it only makes pictures large.
  projects: [
    {
      name: 'phone',
      grepInvert: /@desktop/,
      use: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
    },
    { name: 'desktop', grepInvert: /@phone/, use: { viewport: { width: 1280, height: 900 } } },
  ],
})
