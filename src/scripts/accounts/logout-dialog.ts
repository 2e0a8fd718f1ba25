/** Opens the logout dialog, whose button runs `logout` and closes it. A second click while it runs does nothing. */
export function connectLogout(logout: () => Promise<void>): void {
  const dialog = document.querySelector<HTMLDialogElement>('#logout')
  const confirm = dialog?.querySelector<HTMLButtonElement>('[data-confirm-logout]')
  document.querySelector('[data-logout]')?.addEventListener('click', () => dialog?.showModal())
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
