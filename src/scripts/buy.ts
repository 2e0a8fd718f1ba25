import type { ClientDirective } from 'astro'
import { addAsVisitor } from './catalogue/visitor-add.ts'
import touch from './touch.ts'

/**
 * Client directive `client:buy`: `client:touch` for a buy box, whose 'Add to cart' leads visitors to the login at once.
 */
const buy: ClientDirective = (load, options, island) => {
  const lead = (event: MouseEvent) => {
    const button = (event.target as Element).closest('button')
    if (!button || !island.hasAttribute('ssr') || !addAsVisitor(button)) return
    event.preventDefault()
    event.stopImmediatePropagation()
  }
  island.addEventListener('click', lead, true)
  return touch(load, options, island)
}

export default buy
