import { endpoint, NoInput } from './endpoint.ts'
import { PresentPasswordForm } from './profile.ts'
import { Acknowledgement } from './wire.ts'

/** Has the account erased in `DELETION_DAYS`, and ends all sessions of the customer. */
export const deleteAccount = endpoint({
  method: 'POST',
  path: '/customer/deletion',
  input: PresentPasswordForm,
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
