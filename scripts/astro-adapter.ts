import node from '@astrojs/node'
import type { AstroIntegration } from 'astro'

const ENTRY = new URL('../src/entry.ts', import.meta.url)

/** Astro's Node adapter with our own server entry: it renders a page as the result of a function, not for a socket. */
export function inProcess(): AstroIntegration {
  const adapter = node({ mode: 'middleware' })
  const { 'astro:config:done': done, ...hooks } = adapter.hooks
  return {
    ...adapter,
    hooks: {
      ...hooks,
      'astro:config:done': options =>
        done?.({
          ...options,
          setAdapter: given => options.setAdapter({ ...given, serverEntrypoint: ENTRY }),
        }),
    },
  }
}
