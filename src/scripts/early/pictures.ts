const NEAR = '600px 0px'

/**
 * Requests pictures in fixed-size boxes only when they come near: browsers request them up to 2500 px ahead, those of
 * hidden slides too.
 */
export function showNearPictures(): void {
  const observer = new IntersectionObserver(
    entries => {
      for (const { isIntersecting, target } of entries)
        if (isIntersecting) for (const picture of target.querySelectorAll('img')) picture.hidden = false
    },
    { rootMargin: NEAR },
  )
  for (const picture of document.querySelectorAll<HTMLElement>('.size-full[loading=lazy]')) {
    picture.hidden = true
    // A hidden picture has no box, and neither has a <picture>.
    observer.observe(picture.closest(':not(img,picture)')!)
  }
}
