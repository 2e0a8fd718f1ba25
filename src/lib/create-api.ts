import { endpoints } from '#contract/index.ts'
import { type Api, type ApiOptions, createCalls } from './api.ts'

/** Creates a client for the whole contract. Its calls throw `ApiError` for every response that is not a success. */
export function createApi(options: ApiOptions): Api {
  return createCalls(endpoints, options)
}
