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
const HARMLESS_TAG = /<\/?(?:p|br|ul|ol|li|strong|em|b|i|u|s|h3|h4|a|blockquote|table|thead|tbody|tr|th|td)(?: \/)?>/g

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
    ['<dl><dt>Weight</dt><dd>2 kg</dd></dl>', '<p>Weight</p><p>2 kg</p>'],
    ['<section>One</section><section><div>Two</div><div>Three</div></section>', '<p>One</p><p>Two</p><p>Three</p>'],
    ['<blockquote>Great.</blockquote>Next', '<blockquote>Great.</blockquote>Next'],
    ['<pre>a\nb</pre>c', '<p>a\nb</p>c'],
    ['A<hr>B', 'A<br />B'],
    ['<p>10<sup>3</sup> m<sup>-2</sup> s<sup>−1</sup>, H<sub>2</sub>O</p>', '<p>10³ m⁻² s⁻¹, H₂O</p>'],
    ['<p>1<sup>st</sup> <u>edition</u></p>', '<p>1st <u>edition</u></p>'],
    ['<s>$20</s> <del>$15</del> $10', '<s>$20</s> <s>$15</s> $10'],
    ['<script>x</script>Left over', '<p>Left over</p>'],
    ['  ', ''],
  ])('%j is shown as %s', (given, shown) => {
    expect(sanitise(given)).toBe(shown)
  })

  const nested = ['<dl><dt>a<section>b</dl>c', '<blockquote>a<div><blockquote>b<hr></div>c', 'x<sup>2<sub>3</sup>4']
  test.each([...HOSTILE, ...nested, 'a\n\nb', '<p>a <b>b</p> c</b>', '<table><tr><td>x</table>'])(
    'is unchanged when it is sanitised again: %s',
    html => {
      expect(sanitise(sanitise(html))).toBe(sanitise(html))
    },
  )
})
