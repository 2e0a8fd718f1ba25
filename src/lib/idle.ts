/** Runs `work` once the page is loaded and has nothing better to do. */
export function whenIdle(work: () => void): void {
  const wait = () =>
    'requestIdleCallback' in window ? requestIdleCallback(work, { timeout: 3000 }) : setTimeout(work, 300)
  if (document.readyState === 'complete') wait()
  else addEventListener('load', wait, { once: true })
}
