/** Calls `subscribe` when the newsletter form in the footer is submitted. */
export function connectNewsletter(subscribe: (form: HTMLFormElement) => Promise<void>): void {
  document.querySelector<HTMLFormElement>('[data-newsletter]')?.addEventListener('submit', event => {
    event.preventDefault()
    void subscribe(event.currentTarget as HTMLFormElement)
  })
}
