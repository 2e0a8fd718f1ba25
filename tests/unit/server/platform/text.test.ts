import { describe, expect, test } from 'vitest'
import { sanitise } from '#server/platform/text.ts'

const HOSTILE = [
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '<svg/onload=alert(1)>',
  '<p onclick="alert(1)" style="background:url(javascript:x)">x</p>',
  '<a href="javascript:alert(1)">x</a>',
  '<a href=" JaVaScRiPt:alert(1)">x</a>',
  '<a href="//evil.example">x</a>',
  '<a href="data:text/html,<script>alert(1)</script>">x</a>',
  '<iframe srcdoc="<script>alert(1)</script>"></iframe>',
  '<math><mtext><table><mglyph><style><img src=x onerror=alert(1)>',
  '<p><style><!--</style><script>alert(1)//--></script>',
  '<form action=https://evil.example><input name=password></form>',
  '</p></article><script>alert(1)</script>',
  '<scr<script>ipt>alert(1)</scr</script>ipt>',
  '<template><script>alert(1)</script></template>',
  '&lt;script&gt;alert(1)&lt;/script&gt;',
]
const HARMLESS_TAG = /<\/?(?:p|br|ul|ol|li|strong|em|b|i|h3|h4|a|table|thead|tbody|tr|th|td)(?: \/)?>/g

describe('a seller’s text', () => {
  test.each(HOSTILE)('runs no script: %s', html => {
    const left = sanitise(html).replace(HARMLESS_TAG, '')
    expect(left).not.toMatch(/[<>]/)
    expect(sanitise(html)).not.toMatch(/ on\w+=|style=|href=/i)
  })

  test.each([
    ['Two lines\nof one paragraph', '<p>Two lines<br />of one paragraph</p>'],
    ['One\r\n\r\nTwo', '<p>One</p><p>Two</p>'],
    ['3 < 4 & 5 > 4', '<p>3 &lt; 4 &amp; 5 &gt; 4</p>'],
    ['Fish &amp; chips', '<p>Fish &amp; chips</p>'],
    ['<h1>Big</h1><div>Text</div><div></div>', '<h3>Big</h3><p>Text</p>'],
    ['<ul><li>One<li>Two</ul>', '<ul><li>One</li><li>Two</li></ul>'],
    [
      '<a href="https://shop.example/a?b=1">x</a>',
      '<a href="https://shop.example/a?b=1" rel="nofollow noopener">x</a>',
    ],
    ['<script>x</script>Left over', '<p>Left over</p>'],
    ['  ', ''],
  ])('%j is shown as %s', (given, shown) => {
    expect(sanitise(given)).toBe(shown)
  })

  test.each([...HOSTILE, 'a\n\nb', '<p>a <b>b</p> c</b>', '<table><tr><td>x</table>'])(
    'is unchanged when it is sanitised again: %s',
    html => {
      expect(sanitise(sanitise(html))).toBe(sanitise(html))
    },
  )
})
