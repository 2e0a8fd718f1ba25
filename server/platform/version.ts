import manifest from '../../package.json' with { type: 'json' }

/** This version of Piazza, such as `v1.2.3`. */
export const RELEASE = `v${manifest.version}`
