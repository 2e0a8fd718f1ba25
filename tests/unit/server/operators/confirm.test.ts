import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { asksForYes } from '#server/operators/cli/confirm.ts'

/** Whether the command continues after this input, and what it printed. */
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

test.each(['y\n', 'yes\n', ' YES \n'])('the answer %j continues a command that cannot be undone', async typed => {
  expect(await answered(typed)).toEqual({ isYes: true, said: 'Go on? [y/N] ' })
})

test.each(['\n', 'n\n', 'yesterday\n', null])('the answer %j cancels it', async typed => {
  expect(await answered(typed)).toEqual({
    isYes: false,
    said: expect.stringContaining('Nothing was changed\n') as string,
  })
})

test('without a terminal, the command is cancelled without a question', async () => {
  expect(await answered('y\n', false)).toEqual({
    isYes: false,
    said: 'Nothing was changed: repeat the command with --yes to do it\n',
  })
})
