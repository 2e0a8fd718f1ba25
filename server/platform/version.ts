import manifest from '../../package.json' with { type: 'json' }

/** This version of Piazza, written like its git tag: `v1.2.3`. */
export const RELEASE = `v${manifest.version}`
