import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { ROOT, SHOP } from '#scripts/run.mjs'
import { readConfig } from '#server/config.ts'

interface Compose {
  services: Record<string, { environment?: Record<string, string>; command?: string[]; read_only?: boolean }>
}

const read = (name: string) => readFileSync(join(ROOT, 'deploy', name), 'utf8')
const { services } = parse(read('compose.yaml'), { merge: true }) as Compose

test('the image starts the shop as npm start does', () => {
  const dockerfile = read('Dockerfile')
  const [, command = '[]'] = /^CMD (\[.*\])$/m.exec(dockerfile) ?? []

  expect(JSON.parse(command)).toEqual(['node', ...SHOP.args])
  // The image's file system is read-only, except for /tmp.
  for (const [name, value] of Object.entries({ ...SHOP.env, NODE_COMPILE_CACHE: '/tmp/' }))
    expect(dockerfile).toMatch(new RegExp(`^(ENV|   ).* ${name}=${value}`, 'm'))
  expect(dockerfile.split('FROM ').at(-1)).toMatch(/^USER node$/m)
})

test('the image gets no file of the checkout that is not part of the source', () => {
  const linesOf = (name: string) => readFileSync(join(ROOT, name), 'utf8').trim().split('\n')
  const ignored = linesOf('.gitignore').map(line => line.replace(/\/$/, ''))

  // An archive or a list of orders may lie in the folder.
  const [first, ...rest] = linesOf('.dockerignore')
  expect(first).toBe('*')
  const included = rest.map(line => line.replace(/^!/, ''))
  expect(rest).toEqual(included.map(name => `!${name}`))
  expect(included.filter(name => ignored.includes(name))).toEqual([])
})

test('both shops of the compose file have one valid configuration', () => {
  const [one, other] = [services.shop1!, services.shop2!]

  expect(one.environment).toEqual(other.environment)
  expect([one.read_only, other.read_only]).toEqual([true, true])
  expect(readConfig(one.environment)).toMatchObject({
    trustedProxies: 1,
    mediaDir: '/media',
    s3: { bucket: 'piazza', endpoint: 'http://bucket:7070' },
  })
})

test('the service of systemd may write to the folder of the backups of its crontab', () => {
  const readme = readFileSync(join(ROOT, 'README.md'), 'utf8')
  const [, folder] = /\/etc\/piazza\.env.* backup (\/[^/\s]+)\//.exec(readme) ?? []
  const [, paths = ''] = /^ReadWritePaths=(.*)$/m.exec(read('shop@.service')) ?? []

  expect(paths.split(' ').map(path => path.replace(/^-/, ''))).toContain(folder)
})

test('its nginx leads to both shops by the sample that operators use', () => {
  const program = services.nginx!.command!.at(-1)!
  const edits = Array.from(program.matchAll(/-e 's\/([^/]+)\/([^/]+)\/'/g), ([, from, to]) => [from!, to!] as const)
  let sample = read('nginx.conf').replaceAll(/^.*ssl_.*\n/gm, '')
  expect(edits).toHaveLength(3)
  for (const [from, to] of edits) {
    expect(sample).toContain(from)
    sample = sample.replaceAll(from, to)
  }

  expect(sample).toContain('server shop1:4321')
  expect(sample).toContain('server shop2:4321')
  expect(sample).toMatch(/^ *listen 80;$/m)
  expect(sample).not.toMatch(/^[^#]*(127\.0\.0\.1|ssl)/m)
})

test('processes started by systemd install and build one at a time', () => {
  const unit = read('shop@.service')
  const [, folder = ''] = /^Environment=TMPDIR=(\S+)$/m.exec(unit) ?? []

  // The locks of npm start are in TMPDIR. With PrivateTmp, each process has a /tmp of its own.
  expect(unit).toMatch(/^PrivateTmp=yes$/m)
  expect(folder).toMatch(/^\/run\/[^%]+$/)
  expect(unit).toMatch(new RegExp(`^RuntimeDirectory=${folder.slice('/run/'.length)}$`, 'm'))
  expect(unit).toMatch(/^RuntimeDirectoryPreserve=yes$/m)
})
