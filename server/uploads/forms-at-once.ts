import { openCounts } from '../platform/counts.ts'
import { TooManyRequestsError } from '../platform/errors.ts'

/** Each form reserves space on the disk before its first byte, up to 120 MB, as long as it is being sent. */
const MAX_PER_CUSTOMER = 3
const MAX_PER_ADDRESS = 20
const RETRY_SECONDS = 5

/** Limits how many forms with files a customer, and all customers behind one address, send at the same time. */
export function openFormsAtOnce() {
  const byCustomer = openCounts()
  const byAddress = openCounts()

  return {
    /** Counts a form until the returned function is called. Throws a `TooManyRequestsError` (429) for too many. */
    begin(userId: string, address: string): () => void {
      if (byCustomer.of(userId) >= MAX_PER_CUSTOMER || byAddress.of(address) >= MAX_PER_ADDRESS)
        throw new TooManyRequestsError('Please wait until your other files are sent', RETRY_SECONDS)
      byCustomer.add(userId)
      byAddress.add(address)
      return () => {
        byCustomer.remove(userId)
        byAddress.remove(address)
      }
    },
  }
}
