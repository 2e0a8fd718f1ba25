import lighthouse, { type Flags } from 'lighthouse'
import { chromium } from 'playwright'
import { CHROMIUM_FLAGS, findOrInstallChromium } from './chromium.ts'
import { freePort } from '../ports.ts'

export type Category = 'performance' | 'accessibility' | 'best-practices' | 'seo'

export interface Report {
  /** 0 to 100 by category. */
  scores: Partial<Record<Category, number>>
  /** The audits that cost points, one line each. */
  complaints: string[]
  /** The audits' numeric values by audit id, mostly milliseconds. */
  numbers: Record<string, number>
}

/** Starts a browser for Lighthouse, which tests pages as a phone. Close it afterwards. */
export async function openLighthouse(categories: Category[], flags: Flags = {}) {
  const port = await freePort()
  const browser = await chromium.launch({
    executablePath: findOrInstallChromium(),
    args: [...CHROMIUM_FLAGS, `--remote-debugging-port=${port}`],
  })
  return {
    async measure(url: string): Promise<Report> {
      const result = await lighthouse(url, {
        port,
        logLevel: 'error',
        onlyCategories: categories,
        disableFullPageScreenshot: true,
        formFactor: 'mobile',
        ...flags,
      })
      if (!result || result.lhr.runtimeError)
        throw new Error(result?.lhr.runtimeError?.message ?? `no report of ${url}`)
      const { audits } = result.lhr
      const counted = Object.values(result.lhr.categories).flatMap(({ auditRefs }) => auditRefs)
      const failed = counted.filter(({ id, weight }) => weight > 0 && (audits[id]?.score ?? 1) < 1)
      return {
        scores: Object.fromEntries(
          Object.entries(result.lhr.categories).map(([name, { score }]) => [name, Math.round((score ?? 0) * 100)]),
        ),
        complaints: failed.map(({ id }) => `${id}: ${audits[id]?.title} ${JSON.stringify(audits[id]?.details)}`),
        numbers: Object.fromEntries(
          Object.entries(audits).flatMap(([id, { numericValue }]) =>
            numericValue === undefined ? [] : [[id, numericValue]],
          ),
        ),
      }
    },
    close: () => browser.close(),
  }
}
