import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { asksForYes } from '#server/operators/cli/confirm.ts'

/** Whether the command goes on after this was typed, and what was said. */
async function answered(typed: string | null, isTTY = true) {
  const input = Object.assign(new PassThrough(), { isTTY })
  const output = new PassThrough()
  let said = ''
  output.on('data', text => (said += String(text)))
  const isYes = asksForYes({ input, output })
  if (typed === null) input.end()
  else input.write(typed)
  return { isYes: await isYes, said }
}

test.each(['y\n', 'yes\n', ' YES \n'])('%j lets a command that cannot be undone go on', async typed => {
  expect(await answered(typed)).toEqual({ isYes: true, said: 'Go on? [y/N] ' })
})

test.each(['\n', 'n\n', 'yesterday\n', null])('%j does not', async typed => {
  expect(await answered(typed)).toEqual({
    isYes: false,
    said: expect.stringContaining('Nothing was changed\n') as string,
  })
})

test('without a terminal nobody is asked', async () => {
  expect(await answered('y\n', false)).toEqual({
    isYes: false,
    said: 'Nothing was changed: repeat the command with --yes to do it\n',
  })
})
