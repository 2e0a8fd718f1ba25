import { sayUnavailable } from './unavailable.ts'

/**
 * Offline, keeps the shopper on the page and says so, whether a link, a form or a script would lead to another page: it
 * would be the browser's error page. Browsers without the Navigation API show that.
 */
export function stayWhileOffline(): void {
  let isReachable = false
  ;(window.navigation as Navigation | undefined)?.addEventListener('navigate', event => {
    const { destination, downloadRequest, navigationType } = event
    // Pages to go back to may be in the browser's memory. Links to mail and telephone need no network.
    const isNew = !destination.sameDocument && /^(push|replace)$/.test(navigationType)
    if (navigator.onLine || isReachable || !isNew || downloadRequest !== null || !destination.url.startsWith('http'))
      return
    event.preventDefault()
    // A shop on this very machine can be reached without a network.
    fetch('/favicon.svg', { method: 'HEAD', cache: 'no-store' }).then(
      () => {
        isReachable = true
        location.assign(destination.url)
      },
      () => sayUnavailable(),
    )
  })
}
