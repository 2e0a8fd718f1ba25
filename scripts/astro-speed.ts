import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'

interface Change {
  file: RegExp
  /** Text that the file must contain: the build fails if a new version of the package has changed it. */
  from: string
  to: string
}

const PAGE_BYTES = fileURLToPath(new URL('../src/lib/page-bytes.ts', import.meta.url))
const CHANGES: Change[] = [
  {
    // Caches the result: the URL of a script does not change.
    file: /astro\/dist\/runtime\/server\/render\/script\.js$/,
    from: 'async function renderScript(result, id) {',
    to: `const known = new Map();
function renderScript(result, id) {
  return known.get(id) ?? makeScript(result, id).then(made => (known.set(id, made), made));
}
async function makeScript(result, id) {`,
  },
  {
    // src/scripts/late-start.ts starts the script that all pages share, after the page is visible.
    file: /astro\/dist\/runtime\/server\/render\/script\.js$/,
    from: '<script type="module" src=',
    to: "<script ${id.includes('/layouts/Shop.astro') ? 'type=\"late\" data-src' : 'type=\"module\" src'}=",
  },
  {
    // Caches the digests: all pages have the same styles and scripts, and each would hash them again.
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
    // Joining a page to one string and then encoding it takes three times as long.
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
    // A Response copies its body, and again for each reader: src/entry.ts takes the bytes directly.
    file: /astro\/dist\/runtime\/server\/render\/page\.js$/,
    from: 'return new Response(body, { ...init, headers, status, statusText });',
    to: `const about = { ...init, headers, status, statusText };
    if (status !== 200) return new Response(body, about);
    return Object.assign(new Response(null, about), { page: body });`,
  },
  {
    // Otherwise React renders elements whose tag name is a variable.
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
 * Patches Astro to render synchronously: once it renders something asynchronously, it renders the rest of the page so,
 * which costs several times as much. Also caches results that are the same for all pages, and marks islands with their
 * renderer, which Astro would find by rendering them once more.
 */
export function rendersAtOnce(): Plugin {
  return {
    name: 'piazza-renders-at-once',
    // Not for `astro dev`, which renders differently.
    apply: 'build',
    enforce: 'pre',
    transform(code, id, options) {
      const path = id.split('?')[0] ?? ''
      if (options?.ssr && ISLAND.test(path)) return { code: code + tagsOf(code), map: null }
      const changes = CHANGES.filter(({ file }) => file.test(path))
      if (changes.length === 0) return null
      const changed = changes.reduce((before, { from, to }) => {
        if (!before.includes(from)) this.error(`${path} is not what it was: see scripts/astro-speed.ts`)
        return before.replace(from, to)
      }, code)
      return { code: changed, map: null }
    },
  }
}

function tagsOf(code: string): string {
  const names = [...code.matchAll(COMPONENT)].map(([, name]) => name)
  return names.map(name => `\n${name}[Symbol.for('astro:renderer')] = '@astrojs/react'`).join('')
}
