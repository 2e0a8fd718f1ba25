import { resolve } from 'node:path'
import { defineCommand } from 'citty'
import { group, noMore } from './group.ts'

/** Publishes the policy pages in a folder; if undefined, those of `src/content/policies`. */
export type Publish = (folder: string | undefined) => Promise<void>

export function contentCommands(publish: Publish) {
  return group('content', 'Look after the policy pages', {
    publish: defineCommand({
      meta: {
        name: 'publish',
        description: 'Check the policy pages and show them in running shops, without a restart',
      },
      args: {
        folder: { type: 'positional', required: false, description: 'Markdown files; by default src/content/policies' },
      },
      async run({ args }) {
        noMore(args._, 1)
        await publish(args.folder === undefined ? undefined : resolve(args.folder))
      },
    }),
  })
}
