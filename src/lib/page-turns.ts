/**
 * Runs in the head of every page, as text: lets pages fade into each other where the browser can (View Transitions 2),
 * unless somebody asked for less motion. Nothing from outside of this function is there when it runs.
 */
export function turnPages(): void {
  if (!('onpagereveal' in window) || matchMedia('(prefers-reduced-motion: reduce)').matches) return
  const turns = new CSSStyleSheet()
  turns.replaceSync(
    '@view-transition{navigation:auto}::view-transition{pointer-events:none}::view-transition-group(*),::view-transition-old(*),::view-transition-new(*){animation-duration:150ms}',
  )
  // A window that nobody sees leaves its transition out, and the browser reports that as an error of the page.
  const follow = () => {
    const others = document.adoptedStyleSheets.filter(sheet => sheet !== turns)
    document.adoptedStyleSheets = document.hidden ? others : [...others, turns]
  }
  follow()
  addEventListener('visibilitychange', follow)
  const accept = (turn: ViewTransition) => {
    for (const each of ['ready', 'finished', 'updateCallbackDone'] as const) turn[each].catch(() => undefined)
  }
  addEventListener('pageswap', ({ viewTransition, activation }) => {
    if (!viewTransition) return
    // The next click may come sooner: then it is left out, and says so.
    accept(viewTransition)
    // What is no page of the shop, such as a file, does not expect one.
    if (/\.\w+$|^\/api\//.test(new URL(activation?.entry.url ?? '/', location.href).pathname))
      viewTransition.skipTransition()
  })
  addEventListener('pagereveal', ({ viewTransition }) => viewTransition && accept(viewTransition))
}
