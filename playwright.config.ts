import { defineConfig } from 'playwright/test'
import { CHROMIUM_FLAGS, findChromium } from '#tests/support/browser/chromium.ts'

const executablePath = findChromium() ?? undefined
// The workers read this file again, and need not search again.
if (executablePath) process.env.CHROMIUM_PATH = executablePath

const COMPUTER = { viewport: { width: 1280, height: 900 } }

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
    // Playwright would emulate media, with which Chromium styles each page a second time.
    colorScheme: null,
    reducedMotion: null,
    forcedColors: null,
    contrast: null,
    trace: 'on-first-retry',
    screenshot: 'only-on-failure',
    launchOptions: { executablePath, args: CHROMIUM_FLAGS },
  },
  // Each test runs once, at a phone's width or, with the tag @desktop, at a computer's. `npm test -- --all` runs those
  // without either tag at a computer's width, too, and those with the tag @long. A test that is only about phones, or
  // for which the width does not matter, has the tag @phone or @desktop. Only budgets.test.ts sets a device scale
  // factor: elsewhere it would only make pictures larger.
  projects: [
    {
      name: 'phone',
      grepInvert: /@desktop/,
      use: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
    },
    { name: 'desktop', grep: /@desktop/, use: COMPUTER },
    { name: 'wide', grepInvert: /@desktop|@phone/, use: COMPUTER },
  ],
})
