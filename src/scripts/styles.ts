/** Adds a stylesheet to the page, once it has loaded; throws where it cannot be had, and can be asked again then. */
export function loadStyles(href: string): Promise<void> {
  const link = Object.assign(document.createElement('link'), { rel: 'stylesheet', href })
  return new Promise((resolve, reject) => {
    link.addEventListener('load', () => resolve())
    link.addEventListener('error', () => {
      link.remove()
      reject(new Error(`${href} cannot be had`))
    })
    document.head.append(link)
  })
}
