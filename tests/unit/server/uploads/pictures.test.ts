import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { expect, onTestFinished, test } from 'vitest'
import { redraw } from '#server/uploads/pictures.ts'

test('a customer’s picture does not wait for all that another network has sent', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'piazza-pictures-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const from = join(folder, 'sent')
  await sharp({ create: { width: 60, height: 40, channels: 3, background: '#38c' } })
    .png()
    .toFile(from)
  const drawn: string[] = []
  async function send(network: string, name: string): Promise<void> {
    await redraw(name, 'image/png', { from, to: join(folder, name), network, maxPx: undefined })
    drawn.push(name)
  }

  await Promise.all([
    ...['first', 'second', 'third'].map(name => send('198.51.100.1', name)),
    send('203.0.113.1', 'another customer’s'),
  ])

  expect(drawn).toEqual(['first', 'another customer’s', 'second', 'third'])
})
