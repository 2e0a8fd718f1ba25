import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { PresentPasswordForm } from './profile.ts'

/** For how long the address of a download is valid. */
export const DOWNLOAD_SECONDS = 60

/**
 * Returns the path at which the customer's browser downloads a ZIP archive of their data. It is valid for
 * `DOWNLOAD_SECONDS`, in the session that asks.
 */
export const requestData = endpoint({
  method: 'POST',
  path: '/customer/data',
  input: PresentPasswordForm,
  output: z.object({ url: z.string() }),
  isForCustomers: true,
})
