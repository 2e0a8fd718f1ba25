/** Runs `work` after the page has loaded, when the browser is idle (after 3 s at most). */
export function whenIdle(work: () => void): void {
  const wait = () =>
    'requestIdleCallback' in window ? requestIdleCallback(work, { timeout: 3000 }) : setTimeout(work, 300)
  if (document.readyState === 'complete') wait()
  else addEventListener('load', wait, { once: true })
}
