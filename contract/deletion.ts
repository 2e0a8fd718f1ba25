import * as z from 'zod/mini'
import { endpoint, NoInput } from './endpoint.ts'
import { PresentPassword } from './profile.ts'
import { Acknowledgement } from './wire.ts'

export const DeletionForm = z.object({ password: PresentPassword })
export type DeletionForm = z.output<typeof DeletionForm>

/** Has the account erased in `DELETION_DAYS`, and ends all sessions of the customer. */
export const deleteAccount = endpoint({
  method: 'POST',
  path: '/customer/deletion',
  input: DeletionForm,
  output: Acknowledgement,
  isForCustomers: true,
})

/** Takes the deletion back. */
export const keepAccount = endpoint({
  method: 'DELETE',
  path: '/customer/deletion',
  input: NoInput,
  output: Acknowledgement,
  isForCustomers: true,
})
