import { defineCommand } from 'citty'
import { UsageError } from './values.ts'

/** Commands that share their first word. */
export function group(
  name: string,
  description: string,
  subCommands: NonNullable<Parameters<typeof defineCommand>[0]['subCommands']>,
) {
  return defineCommand({ meta: { name, description }, subCommands })
}

/** A command without arguments. */
export function plain(name: string, description: string, act: () => Promise<void>) {
  return defineCommand({
    meta: { name, description },
    async run({ args }) {
      noMore(args._, 0)
      await act()
    },
  })
}

/** Throws a `UsageError` if more than `count` arguments were typed. */
export function noMore(typed: string[], count: number): void {
  const unknown = typed[count]
  if (unknown !== undefined) throw new UsageError(`'${unknown}' is one argument too many`)
}
