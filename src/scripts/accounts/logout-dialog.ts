/**
 * Opens the logout dialog, whose button runs `logout` and closes it. While it runs, a second click does nothing, and
 * the dialog opens again after Cancel and Escape.
 */
export function connectLogout(logout: () => Promise<void>): void {
  const dialog = document.querySelector<HTMLDialogElement>('#logout')
  const confirm = dialog?.querySelector<HTMLButtonElement>('[data-confirm-logout]')
  document.querySelector('[data-logout]')?.addEventListener('click', () => dialog?.showModal())
  dialog?.addEventListener('close', () => confirm?.ariaBusy && dialog.showModal())
  confirm?.addEventListener('click', () => void once(confirm, logout).finally(() => dialog?.close()))
}

async function once(button: HTMLButtonElement, work: () => Promise<void>): Promise<void> {
  if (button.ariaBusy) return
  button.ariaBusy = 'true'
  try {
    await work()
  } finally {
    button.ariaBusy = null
  }
}
