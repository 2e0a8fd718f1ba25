/** Hands the footer's form to `subscribe` when it is sent. */
export function connectNewsletter(subscribe: (form: HTMLFormElement) => Promise<void>): void {
  document.querySelector<HTMLFormElement>('[data-newsletter]')?.addEventListener('submit', event => {
    event.preventDefault()
    void subscribe(event.currentTarget as HTMLFormElement)
  })
}
