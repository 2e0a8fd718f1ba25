import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'

interface Change {
  file: RegExp
  /** What must be there, so that a new version of the package is noticed. */
  from: string
  to: string
  /** Nothing of the file is left. */
  isWhole?: true
}

const ICON = fileURLToPath(new URL('../src/components/ui/lucide-icon.ts', import.meta.url))
const PAGE_BYTES = fileURLToPath(new URL('../src/lib/page-bytes.ts', import.meta.url))
const CHANGES: Change[] = [
  {
    // Each part of an icon would be rendered asynchronously.
    file: /@lucide\/astro\/src\/createLucideIcon\.ts$/,
    from: 'export default createLucideIcon',
    to: `export { lucideIcon as default } from '${ICON}'`,
    isWhole: true,
  },
  {
    // The address of a script does not change.
    file: /astro\/dist\/runtime\/server\/render\/script\.js$/,
    from: 'async function renderScript(result, id) {',
    to: `const known = new Map();
function renderScript(result, id) {
  return known.get(id) ?? makeScript(result, id).then(made => (known.set(id, made), made));
}
async function makeScript(result, id) {`,
  },
  {
    // src/scripts/late-start.ts starts what every page does: it comes after what is to be seen.
    file: /astro\/dist\/runtime\/server\/render\/script\.js$/,
    from: '<script type="module" src=',
    to: "<script ${id.includes('/layouts/Shop.astro') ? 'type=\"late\" data-src' : 'type=\"module\" src'}=",
  },
  {
    // The styles and scripts of all pages are the same; each page hashes them anew.
    file: /astro\/dist\/core\/encryption\.js$/,
    from: 'async function generateCspDigest(data, algorithm) {',
    to: `const digests = new Map();
function generateCspDigest(data, algorithm) {
  const known = digests.get(data);
  if (known?.algorithm === algorithm) return known.digest;
  const digest = makeDigest(data, algorithm);
  if (digests.size < 100) digests.set(data, { algorithm, digest });
  return digest;
}
async function makeDigest(data, algorithm) {`,
  },
  {
    // To put a page together as a text and then to make bytes of it takes three times as long.
    file: /astro\/dist\/runtime\/server\/render\/astro\/render\.js$/,
    from: 'async function renderStreamToString(result, templateResult, isPage) {',
    to: `import { pageBytes } from '${PAGE_BYTES}';
async function renderStreamToString(result, templateResult, isPage) {
  if (!isPage || result.partial) return renderPart(result, templateResult, isPage);
  const texts = [];
  await bufferHeadContent(result);
  await renderStreaming(templateResult, result, {
    write(chunk) {
      if (!(chunk instanceof Response)) texts.push(String(chunkToString(result, chunk)));
    }
  });
  if (!DOCTYPE_EXP.test(texts[0] ?? '')) texts.unshift('<!DOCTYPE html>');
  return pageBytes(texts);
}
async function renderPart(result, templateResult, isPage) {`,
  },
  {
    // A Response copies what it is made of, and copies it again for who reads it: src/entry.ts takes the bytes themselves.
    file: /astro\/dist\/runtime\/server\/render\/page\.js$/,
    from: 'return new Response(body, { ...init, headers, status, statusText });',
    to: `const about = { ...init, headers, status, statusText };
    if (status !== 200) return new Response(body, about);
    return Object.assign(new Response(null, about), { page: body });`,
  },
  {
    // React would render an element whose name is a variable.
    file: /astro\/dist\/runtime\/server\/render\/component\.js$/,
    from: `  if (isHTMLComponent(Component)) {
    return renderHTMLComponent`,
    to: `  if (typeof Component === 'string' && !voidElementNames.test(Component)) {
    const Tag = sanitizeElementName(Component);
    const inside = slots.default ? slots.default(result) : '';
    return renderTemplate\`<\${Tag}\${internalSpreadAttributes(props, true, Tag)}>\${inside}</\${Tag}>\`;
  }
  if (isHTMLComponent(Component)) {
    return renderHTMLComponent`,
  },
]
const ISLAND = /\/src\/islands\/.+\.tsx$/
const COMPONENT = /^export function ([A-Z]\w*)\(/gm

/**
 * Where Astro renders asynchronously it renders the rest of the page so, which costs several times as much. This keeps
 * what it makes anew for each page though it is always the same, and tells it which renderer an island has, which it
 * would find out by rendering the island once more.
 */
export function rendersAtOnce(): Plugin {
  return {
    name: 'piazza-renders-at-once',
    // `astro dev` answers in its own way.
    apply: 'build',
    enforce: 'pre',
    transform(code, id, options) {
      const path = id.split('?')[0] ?? ''
      if (options?.ssr && ISLAND.test(path)) return { code: code + tagsOf(code), map: null }
      const changes = CHANGES.filter(({ file }) => file.test(path))
      if (changes.length === 0) return null
      const changed = changes.reduce((before, { from, to, isWhole }) => {
        if (!before.includes(from)) this.error(`${path} is not what it was: see scripts/astro-speed.ts`)
        return isWhole ? to : before.replace(from, to)
      }, code)
      return { code: changed, map: null }
    },
  }
}

function tagsOf(code: string): string {
  const names = [...code.matchAll(COMPONENT)].map(([, name]) => name)
  return names.map(name => `\n${name}[Symbol.for('astro:renderer')] = '@astrojs/react'`).join('')
}
