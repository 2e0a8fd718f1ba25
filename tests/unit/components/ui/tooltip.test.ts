import { createElement } from 'react'
import { renderToString } from 'react-dom/server'
import { expect, test } from 'vitest'
import { Tooltip } from '#components/ui/Tooltip.tsx'
import { TOOLTIP_DELAY_MS } from '#lib/constants.ts'

test('a tooltip appears after a delay, and its text is not read out twice', () => {
  const props = { text: 'Copy', children: 'C' }
  const html = renderToString(createElement(Tooltip, props))

  expect(html).toContain(`style="--tooltip-delay:${TOOLTIP_DELAY_MS}ms"`)
  expect(html).toContain('data-tooltip="Copy"')
  expect(html.replace(/<[^>]*>/g, '')).toBe('C')
})
