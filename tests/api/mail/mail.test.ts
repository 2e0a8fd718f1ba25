import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { type LogFn, pino } from 'pino'
import { SMTPServer, type SMTPServerAddress } from 'smtp-server'
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest'
import { openJobs } from '#server/platform/jobs.ts'
import { readConfig } from '#server/config.ts'
import { resetLetter } from '#server/mail/letters.ts'
import { openMailer } from '#server/mail/mailer.ts'
import { mailReset } from '#server/accounts/password-reset.ts'
import { freePort } from '#tests/support/ports.ts'
import { startProvider } from '#tests/support/provider/provider.ts'
import { PATIENCE } from '#tests/support/patience.ts'

const { db, database, limits, customer, close } = await startProvider()
afterAll(close)

const FROM = 'help@shop.example'
const log = pino({ level: 'silent' })
const link = 'https://shop.example/resetpassword?token=abc'
const closing: (() => unknown)[] = []
afterEach(async () => {
  vi.restoreAllMocks()
  for (const close of closing.splice(0).toReversed()) await close()
})

interface Received {
  from: string
  to: string[]
  message: string
}

/**
 * A mail server on its own port that accepts letters after a login, or rejects their recipients. It accepts `together`
 * letters only when that many have arrived.
 */
async function postOffice({ port = 0, rejection = '', together = 1 } = {}) {
  const received: Received[] = []
  const waiting: (() => void)[] = []
  let connections = 0
  const server = new SMTPServer({
    authMethods: ['PLAIN', 'LOGIN'],
    allowInsecureAuth: true,
    disabledCommands: ['STARTTLS'],
    // When it stops, it does not wait for clients to hang up.
    closeTimeout: 1,
    onConnect(_session, done) {
      connections += 1
      done()
    },
    onAuth: ({ username, password }, _session, done) =>
      username === 'shop' && password === 'p@ss' ? done(null, { user: username }) : done(new Error('Wrong password')),
    onRcptTo: (_address, _session, done) =>
      done(
        rejection
          ? Object.assign(new Error(rejection.slice(4)), { responseCode: Number(rejection.slice(0, 3)) })
          : null,
      ),
    onData(stream, { envelope }, done) {
      const { mailFrom, rcptTo } = envelope
      void text(stream).then(message => {
        received.push({
          from: (mailFrom as SMTPServerAddress).address,
          to: rcptTo.map(({ address }) => address),
          message,
        })
        waiting.push(done)
        if (waiting.length >= together) waiting.splice(0).forEach(accept => accept())
      })
    },
  })
  server.listen(port, '127.0.0.1')
  await once(server.server, 'listening')
  const stop = () => new Promise<void>(resolve => server.close(() => resolve()))
  closing.push(stop)
  const url = `smtp://shop:p%40ss@127.0.0.1:${(server.server.address() as AddressInfo).port}`
  return { received, url, stop, connections: () => connections }
}

/** A mailer that is closed after the test. */
function open(given: Partial<Parameters<typeof openMailer>[0]>) {
  const mail = openMailer({ smtpUrl: undefined, folder: '/nowhere', from: FROM, printsLinks: true, log, ...given })
  closing.push(mail.close)
  return mail
}

const letter = () => ({ to: 'ada@customer.example', ...resetLetter({ name: 'José <b>', link, minutes: 30 }) })

describe('a mail', () => {
  test('is sent over an authenticated SMTP connection as HTML and text', async () => {
    const { received, url } = await postOffice()

    await open({ smtpUrl: url }).send(letter())

    expect(received).toMatchObject([{ from: FROM, to: ['ada@customer.example'] }])
    const { message } = received[0]!
    expect(message).toMatch(/^From: Piazza <help@shop\.example>$/m)
    expect(message).toMatch(/^Subject: Choose a new password$/m)
    expect(message).toMatch(/multipart\/alternative/)
  })

  test('is sent over the connection of the one before it', async () => {
    const { received, url, connections } = await postOffice()
    const mail = open({ smtpUrl: url })

    for (let count = 0; count < 3; count += 1) await mail.send(letter())

    expect(received).toHaveLength(3)
    expect(connections()).toBe(1)
  })

  test('is sent after the connection of the one before it was lost', async () => {
    const port = await freePort()
    const mail = open({ smtpUrl: `smtp://shop:p%40ss@127.0.0.1:${port}` })
    const before = await postOffice({ port })
    await mail.send(letter())
    await before.stop()
    const { received } = await postOffice({ port })

    await mail.send(letter())

    expect(received).toHaveLength(1)
  })

  test('rejects when the mail server rejects the login', async () => {
    const { received, url } = await postOffice()
    const mail = open({ smtpUrl: url.replace('p%40ss', 'wrong') })

    await expect(mail.send(letter())).rejects.toThrow(/Wrong password|Invalid login/)
    expect(received).toEqual([])
  })

  test.each(['5.1.1', '5.1.2', '5.1.3', '5.1.6', '5.1.10'])(
    'to an address that does not exist (%s) is dropped with a warning',
    async status => {
      const { received, url } = await postOffice({ rejection: `550 ${status} No such user` })
      const warn = vi.fn<LogFn>()

      await open({ smtpUrl: url, log: { warn } }).send(letter())

      expect(warn.mock.calls).toEqual([[{ status }, 'a mail was not sent: its address does not exist']])
      expect(received).toEqual([])
    },
  )

  test.each(['550 5.7.1 Blocked', '450 4.1.1 Try later', '550 No such user', '550 5.1.11 Odd'])(
    'that the mail server rejects otherwise is sent again later (%s)',
    async rejection => {
      const { url } = await postOffice({ rejection })

      const sent = open({ smtpUrl: url }).send(letter())

      await expect(sent).rejects.toThrow('all recipients were rejected')
    },
  )

  test('cannot get headers or markup from a name or a subject', async () => {
    const { html, text } = letter()
    expect(html).toContain('Hello José &lt;b&gt;,')
    expect(html).not.toContain('<b>')
    expect(text).toContain(link)

    const { received, url } = await postOffice()
    const subject = 'Hello\r\nBcc: eve@evil.example'
    await open({ smtpUrl: url }).send({
      ...letter(),
      subject,
    })

    expect(received[0]?.to).toEqual(['ada@customer.example'])
    expect(received[0]?.message).not.toMatch(/^Bcc:/m)
  })

  test('is written to a private file without a mail server, and its link is printed to the console', async () => {
    const say = vi.spyOn(console, 'log').mockReturnValue()
    const dataDir = await mkdtemp(join(tmpdir(), 'piazza-mail-'))
    closing.push(() => rm(dataDir, { recursive: true }))
    const folder = join(dataDir, 'mail')

    await open({ folder }).send(letter())

    const [name, ...others] = await readdir(folder)
    expect(others).toEqual([])
    expect(name).toMatch(/^[\w.-]+\.eml$/)
    expect((await stat(join(folder, name!))).mode & 0o777).toBe(0o600)
    expect((await stat(folder)).mode & 0o777).toBe(0o700)
    expect(await readFile(join(folder, name!), 'utf8')).toMatch(/^To: ada@customer\.example$/m)
    expect(say.mock.calls).toEqual([[`Mail to ada@customer.example: ${link}`]])
  })

  test('of a shop with an https address does not print its link to the console', async () => {
    const say = vi.spyOn(console, 'log').mockReturnValue()
    const folder = await mkdtemp(join(tmpdir(), 'piazza-mail-'))
    closing.push(() => rm(folder, { recursive: true }))
    const { printsMailLinks: printsLinks } = readConfig({ PUBLIC_URL: 'https://shop.example' })

    await open({ folder, printsLinks }).send(letter())

    const [name] = await readdir(folder)
    expect(await readFile(join(folder, name!), 'utf8')).toContain('resetpassword')
    expect(say.mock.calls).toEqual([[`Mail to ada@customer.example: ${name}`]])
  })
})

describe('jobs', () => {
  test('send a mail when the mail server is back', async () => {
    const { email } = await customer()
    const port = await freePort()
    const mail = open({ smtpUrl: `smtp://shop:p%40ss@127.0.0.1:${port}` })
    const send = vi.fn<typeof mail.send>(mail.send)
    const passwordReset = ({ email }: { email: string }) =>
      mailReset({ db, mail: { send }, publicUrl: 'https://shop.example', limits }, email)
    const jobs = openJobs({ database, handlers: { passwordReset }, log, retrySeconds: 1, pollSeconds: 0.5 })
    closing.push(jobs.close)

    await jobs.send('passwordReset', { email })
    await vi.waitFor(() => expect(send).toHaveBeenCalled(), PATIENCE)
    await expect(send.mock.results[0]?.value).rejects.toThrow(/ECONNREFUSED/)
    const { received } = await postOffice({ port })

    await vi.waitFor(() => expect(received).toMatchObject([{ to: [email] }]), PATIENCE)
    // Mail breaks long lines.
    expect(received[0]?.message.replaceAll(/=\r?\n/g, '')).toContain('/resetpassword?token=3D')
  })

  test.each(['orderMail', 'sellerMail'] as const)('send several letters at once (%s)', async kind => {
    const { received, url } = await postOffice({ together: 3 })
    const mail = open({ smtpUrl: url })
    const send = () => mail.send(letter())
    const earlier = openJobs({ database, handlers: { [kind]: send }, kinds: [], log })
    for (let count = 0; count < 3; count += 1)
      await earlier.send(kind, { kind: 'cancelled', orderId: '', sellerOrderId: '' })
    await earlier.close()

    const jobs = openJobs({ database, handlers: { [kind]: send }, log })
    closing.push(jobs.close)
    await jobs.start()

    await vi.waitFor(() => expect(received).toHaveLength(3), PATIENCE)
  })
})
