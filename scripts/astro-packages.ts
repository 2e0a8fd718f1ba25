import type { Plugin } from 'vite'

/**
 * Builds packages into the pages' server code too: a few files load in half of the time of some hundred. Of React, not
 * also the slow version that checks for mistakes.
 */
export function withPackages(): Plugin {
  return {
    name: 'with-packages',
    apply: 'build',
    config: () => ({ ssr: { noExternal: true } }),
    configEnvironment: name =>
      name === 'ssr' ? { define: { 'process.env.NODE_ENV': JSON.stringify('production') } } : null,
  }
}
