import { createElement } from 'react'
import { renderToString } from 'react-dom/server'
import { describe, expect, test } from 'vitest'
import { BuyBox } from '#islands/catalogue/BuyBox.tsx'
import { packVariants } from '#lib/catalogue/packed-variants.ts'

const TRAY = { _id: 'p1', name: 'Walnut tray', sellerId: 's1', priceCents: 4900, discount: 0, rating: 4.5, images: [] }

const render = (stock: number, slug = 'walnut-tray') =>
  renderToString(createElement(BuyBox, { product: { ...TRAY, slug, stock } }))

const button = (html: string, name: string) =>
  html.match(new RegExp(`<button[^>]*>(?:(?!</button>).)*${name}.*?</button>`))?.[0] ?? ''
const labelled = (html: string, label: string) =>
  html.match(new RegExp(`<button[^>]*aria-label="${label}"[^>]*>`))?.[0] ?? ''

describe('the server-rendered buy box', () => {
  test('starts at one and shows the stock', () => {
    const html = render(3)

    expect(html).toContain('In Stock(3)')
    expect(html).toMatch(/<output[^>]*>1<\/output>/)
    expect(labelled(html, 'Decrease quantity')).toContain('aria-disabled="true"')
    expect(labelled(html, 'Increase quantity')).not.toContain('aria-disabled="true"')
    expect(button(html, 'Add to cart')).not.toContain('disabled=""')
    expect(button(html, 'Buy Now')).not.toContain('disabled=""')
  })

  test('disables buying when out of stock, but allows wishes and alerts', () => {
    const html = render(0)

    expect(html).toContain('Out of Stock')
    expect(button(html, 'Add to cart')).toContain('disabled=""')
    expect(html).not.toContain('Buy Now')
    expect(button(html, 'Tell me when it is back')).not.toContain('disabled=""')
    expect(labelled(html, 'Add to wishlist')).not.toContain('disabled=""')
  })

  test('links a visitor to the login, and then to the target of each button', () => {
    const html = render(3)

    expect(html).toMatch(/<form[^>]*action="\/login"/)
    expect(button(html, 'Add to cart')).toContain('value="/product/details/walnut-tray"')
    expect(labelled(html, 'Add to wishlist')).toContain('value="/product/details/walnut-tray"')
    expect(button(html, 'Buy Now')).toContain('value="/shipping?buy=walnut-tray&amp;quantity=1"')
    expect(html).toContain('href="/login?next=%2Fdashboard%2Fchat%2Fs1%3FproductId%3Dp1"')
  })

  test('encodes a slug with special characters', () => {
    expect(button(render(1, 'a&b=c#d'), 'Buy Now')).toContain('value="/shipping?buy=a%26b%3Dc%23d&amp;quantity=1"')
  })

  test('contains no inline script', () => {
    expect(render(3)).not.toMatch(/javascript:|<script| on[a-z]+=/i)
  })
})

describe('the server-rendered buy box of a product with options', () => {
  const variant = (size: string, stock: number) => ({
    _id: `v${size}`,
    options: { Size: size },
    priceCents: 4900,
    discount: 0,
    stock,
  })
  const variants = packVariants([variant('S', 0), variant('M', 2), variant('L', 0)])
  const shown = (variantId?: string) =>
    renderToString(createElement(BuyBox, { product: { ...TRAY, slug: 'walnut-tray', stock: 2, variants }, variantId }))

  test('has a radio for each value, and chooses the first one in stock', () => {
    const html = shown()

    expect(html).toContain('<legend')
    expect(html.match(/<input type="radio"[^>]*>/g)).toHaveLength(3)
    expect(html.match(/<input type="radio"[^>]*checked[^>]*>/g)).toEqual([expect.stringContaining('value="M"')])
    expect(html).toContain('In Stock(2)')
    expect(html).toMatch(/<form[^>]*action="\/product\/details\/walnut-tray"/)
    expect(button(html, 'Add to cart')).toContain('value="cart"')
    expect(button(html, 'Buy Now')).toContain('value="buy"')
  })

  test('shows the variant of the address, even if it is sold out: its form may send another one', () => {
    const html = shown('vL')

    expect(button(html, 'Out of Stock')).not.toContain('disabled')
    expect(labelled(html, 'Add to wishlist')).toContain('value="/product/details/walnut-tray?variant=vL"')
  })
})
