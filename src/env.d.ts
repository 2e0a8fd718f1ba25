import type { Category } from '#contract/catalog.ts'
import type { Policy } from '#contract/policies.ts'
import type { Api } from '#lib/api.ts'

declare global {
  namespace App {
    interface Locals {
      /** Answers the provider's calls without a network; the process around Astro puts it here, `astro dev` does not. */
      provider?: (request: Request) => Response | Promise<Response>
      settings: {
        publicUrl: string
        merchantUrl: string
        supportEmail: string
        /** Hosts beside ours that the payment's pages may use; the sandbox needs none. */
        paymentSources: string[]
      }
      api: Api
      /** What the header's search form offers, sorted by name. */
      categories: Category[]
      /** The pages that editors write, in the order of the footer. */
      policies: Policy[]
      /** Only in `astro dev`: what is wrong with pages that cannot be shown, by the page's id. */
      policyFaults?: Record<string, string[]>
      /** What the 503 page says, of which page, and where it tries again. */
      failure?: { text: string; isProduct: boolean; retry: string }
    }
  }
}

declare module 'astro' {
  interface AstroClientDirectives {
    'client:touch'?: boolean | 'customer' | 'soon'
  }
}
