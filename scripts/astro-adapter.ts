import node from '@astrojs/node'
import type { AstroIntegration } from 'astro'

const ENTRY = new URL('../src/entry.ts', import.meta.url)

/** Astro's Node adapter with an entry of ours: what it would start answers sockets, and here a page is a function's result. */
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
