import { useEffect } from 'react'

/** Shows the top of the page once `isShort`: where the window was in what was much longer, a phone would show the footer. */
export function useTop(isShort: boolean) {
  useEffect(() => {
    if (isShort) scrollTo(0, 0)
  }, [isShort])
}
