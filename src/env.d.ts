import type { Category } from '#contract/catalogue.ts'
import type { PaymentMethod } from '#contract/payments.ts'
import type { Introduction, Policy } from '#contract/policies.ts'
import type { Api } from '#lib/api.ts'

declare global {
  namespace App {
    interface Locals {
      /** Calls the provider in-process. Set by the surrounding process, but not by `astro dev`. */
      provider?: (request: Request) => Response | Promise<Response>
      settings: {
        publicUrl: string
        merchantUrl: string
        supportEmail: string
        /** What customers can pay with; empty if it is not known, because another process takes the payments. */
        paymentMethods: PaymentMethod[]
        /** Additional hosts that payment pages may use. The sandbox needs none. */
        paymentSources: string[]
      }
      api: Api
      /** The categories that every page shows, sorted by name. */
      categories: Category[]
      /** All categories; there may be thousands. */
      allCategories: Category[]
      /** The editors' pages, in the order of the footer. */
      policies: Policy[]
      /** What editors wrote about categories. */
      introductions: Introduction[]
      /** Only in `astro dev`: errors of pages that cannot be rendered, by page id. */
      policyMistakes?: Record<string, string[]>
      /** Only in `astro dev`: errors of introductions, if there are any. Category pages show all of them. */
      introductionMistakes?: string[]
      /** Data of the 503 page: its text, whether it stands for a product page, and the URL to retry. */
      failure?: { text: string; isProduct: boolean; retry: string }
    }
  }
}

declare module 'astro' {
  interface AstroClientDirectives {
    'client:touch'?: boolean | 'customer' | 'soon'
    'client:buy'?: boolean | 'customer' | 'soon'
  }
}
