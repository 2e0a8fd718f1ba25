import { useEffect } from 'react'

/** Scrolls to the top when the content becomes short, so that phones do not land on the footer. */
export function useTop(isShort: boolean) {
  useEffect(() => {
    if (isShort) scrollTo(0, 0)
  }, [isShort])
}
