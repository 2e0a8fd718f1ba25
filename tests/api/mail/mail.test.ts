import { sql } from 'drizzle-orm'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { type LogFn, pino } from 'pino'
import { SMTPServer, type SMTPServerAddress } from 'smtp-server'
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest'
import { openDatabase } from '#server/db/database.ts'
import { openJobs } from '#server/platform/jobs.ts'
import { readConfig } from '#server/config.ts'
import { resetLetter } from '#server/mail/letters.ts'
import { openMailer } from '#server/mail/mailer.ts'
import { mailReset } from '#server/accounts/password-reset.ts'
import { freePort } from '#tests/support/ports.ts'
import { startProvider } from '#tests/support/provider/provider.ts'
import { PATIENCE } from '#tests/support/faults/patience.ts'

const { db, database, customer, close } = await startProvider()
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

/** A mail server on its own port that accepts letters after a login, or rejects their recipients. */
async function postOffice(port = 0, rejection?: string) {
  const received: Received[] = []
  const server = new SMTPServer({
    authMethods: ['PLAIN', 'LOGIN'],
    allowInsecureAuth: true,
    disabledCommands: ['STARTTLS'],
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
        done()
      })
    },
  })
  server.listen(port, '127.0.0.1')
  await once(server.server, 'listening')
  closing.push(() => new Promise<void>(resolve => server.close(() => resolve())))
  const url = `smtp://shop:p%40ss@127.0.0.1:${(server.server.address() as AddressInfo).port}`
  return { received, url }
}

const letter = () => ({ to: 'ada@customer.example', ...resetLetter({ name: 'José <b>', link, minutes: 30 }) })

describe('a mail', () => {
  test('is sent over an authenticated SMTP connection as HTML and text', async () => {
    const { received, url } = await postOffice()

    await openMailer({ smtpUrl: url, folder: '/nowhere', from: FROM, printsLinks: true, log }).send(letter())

    expect(received).toMatchObject([{ from: FROM, to: ['ada@customer.example'] }])
    const { message } = received[0]!
    expect(message).toMatch(/^From: Piazza <help@shop\.example>$/m)
    expect(message).toMatch(/^Subject: Choose a new password$/m)
    expect(message).toMatch(/multipart\/alternative/)
  })

  test('rejects when the mail server rejects the login', async () => {
    const { received, url } = await postOffice()
    const mail = openMailer({
      smtpUrl: url.replace('p%40ss', 'wrong'),
      folder: '/nowhere',
      from: FROM,
      printsLinks: true,
      log,
    })

    await expect(mail.send(letter())).rejects.toThrow(/Wrong password|Invalid login/)
    expect(received).toEqual([])
  })

  test.each(['5.1.1', '5.1.2', '5.1.3', '5.1.6', '5.1.10'])(
    'to an address that does not exist (%s) is dropped with a warning',
    async status => {
      const { received, url } = await postOffice(0, `550 ${status} No such user`)
      const warn = vi.fn<LogFn>()

      await openMailer({ smtpUrl: url, folder: '/nowhere', from: FROM, printsLinks: true, log: { warn } }).send(
        letter(),
      )

      expect(warn.mock.calls).toEqual([[{ status }, 'a mail was not sent: its address does not exist']])
      expect(received).toEqual([])
    },
  )

  test.each(['550 5.7.1 Blocked', '450 4.1.1 Try later', '550 No such user', '550 5.1.11 Odd'])(
    'that the mail server rejects otherwise is sent again later (%s)',
    async rejection => {
      const { url } = await postOffice(0, rejection)

      const sent = openMailer({ smtpUrl: url, folder: '/nowhere', from: FROM, printsLinks: true, log }).send(letter())

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
    await openMailer({ smtpUrl: url, folder: '/nowhere', from: FROM, printsLinks: true, log }).send({
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

    await openMailer({ smtpUrl: undefined, folder, from: FROM, printsLinks: true, log }).send(letter())

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

    await openMailer({ smtpUrl: undefined, folder, from: FROM, printsLinks, log }).send(letter())

    const [name] = await readdir(folder)
    expect(await readFile(join(folder, name!), 'utf8')).toContain('resetpassword')
    expect(say.mock.calls).toEqual([[`Mail to ada@customer.example: ${name}`]])
  })
})

describe('jobs', () => {
  test('send a mail when the mail server is back', async () => {
    const { email } = await customer()
    const port = await freePort()
    const mail = openMailer({
      smtpUrl: `smtp://shop:p%40ss@127.0.0.1:${port}`,
      folder: '/nowhere',
      from: FROM,
      printsLinks: true,
      log,
    })
    const send = vi.fn<typeof mail.send>(mail.send)
    const passwordReset = ({ email }: { email: string }) =>
      mailReset({ db, mail: { send }, publicUrl: 'https://shop.example' }, email)
    const jobs = openJobs({ database, handlers: { passwordReset }, log, retrySeconds: 1, pollSeconds: 0.5 })
    closing.push(jobs.close)

    await jobs.send('passwordReset', { email })
    await vi.waitFor(() => expect(send).toHaveBeenCalled(), PATIENCE)
    await expect(send.mock.results[0]?.value).rejects.toThrow(/ECONNREFUSED/)
    const { received } = await postOffice(port)

    await vi.waitFor(() => expect(received).toMatchObject([{ to: [email] }]), PATIENCE)
    // Mail breaks long lines.
    expect(received[0]?.message.replaceAll(/=\r?\n/g, '')).toContain('/resetpassword?token=3D')
  })

  test('start only if the transaction that sends them commits', async () => {
    const done: string[] = []
    const passwordReset = async ({ email }: { email: string }) => void done.push(email)
    const jobs = openJobs({ database, handlers: { passwordReset }, log, pollSeconds: 0.5 })
    closing.push(jobs.close)
    await jobs.start()

    await jobs.transact(db, (_, sendJob) => sendJob('passwordReset', { email: 'kept' }))
    const undone = jobs.transact(db, async (_, sendJob) => {
      await sendJob('passwordReset', { email: 'undone' })
      throw new Error('rolled back')
    })
    await expect(undone).rejects.toThrow('rolled back')

    await vi.waitFor(() => expect(done).toEqual(['kept']), PATIENCE)
    await jobs.send('passwordReset', { email: 'later' })
    await vi.waitFor(() => expect(done).toEqual(['kept', 'later']), PATIENCE)
  })

  test('start at once when the transaction that sends them commits', async () => {
    const done: string[] = []
    const passwordReset = async ({ email }: { email: string }) => void done.push(email)
    const jobs = openJobs({ database, handlers: { passwordReset }, log, pollSeconds: 3600 })
    closing.push(jobs.close)
    await jobs.send('passwordReset', { email: 'before' })
    await vi.waitFor(() => expect(done).toEqual(['before']), PATIENCE)

    for (const email of ['Ada', 'Eve']) await jobs.transact(db, (_, sendJob) => sendJob('passwordReset', { email }))

    await vi.waitFor(() => expect(done).toEqual(['before', 'Ada', 'Eve']), PATIENCE)
  })

  test('go on when the clock is set back by an hour', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    closing.push(() => vi.useRealTimers())
    const done: string[] = []
    const passwordReset = async ({ email }: { email: string }) => void done.push(email)
    const jobs = openJobs({ database, handlers: { passwordReset }, log, pollSeconds: 0.5 })
    closing.push(jobs.close)
    await jobs.start()
    const otherProcess = openJobs({ database, handlers: {}, log })
    closing.push(otherProcess.close)
    vi.setSystemTime(Date.now() - 3600_000)

    await otherProcess.send('passwordReset', { email: 'ada' })

    await vi.waitFor(() => expect(done).toEqual(['ada']), PATIENCE)
  })

  test('run without a pause in between, even after another process stopped', async () => {
    const done: string[] = []
    const away = openJobs({ database, handlers: { passwordReset: () => Promise.reject(new Error('away')) }, log })
    await away.start()
    await away.close()
    const jobs = openJobs({ database, handlers: { passwordReset: async ({ email }) => void done.push(email) }, log })
    closing.push(jobs.close)

    // With a pause after each, as long as the queue rests when it is empty, they would take longer than this waits.
    for (let at = 0; at < 40; at += 1) await jobs.send('passwordReset', { email: String(at) })

    await vi.waitFor(() => expect(done).toHaveLength(40), PATIENCE)
  })

  test('do the daily upkeep once for all processes, when it is due or was missed', async () => {
    const dailyUpkeep = vi.fn<() => Promise<void>>(async () => undefined)
    const open = () => openJobs({ database, handlers: { dailyUpkeep }, log, pollSeconds: 0.5 })
    const before = open()
    await before.start()
    await before.close()
    await db.execute(sql`update jobs.schedule set created_on = now() - interval '3 days'`)
    await db.execute(sql`update jobs.version set cron_on = now() - interval '2 days'`)

    const processes = [open(), open()]
    closing.push(...processes.map(each => each.close))
    await Promise.all(processes.map(each => each.start()))

    await vi.waitFor(() => expect(dailyUpkeep).toHaveBeenCalled(), PATIENCE)
    const { rows } = await db.execute(sql`select 1 from jobs.job where name = 'dailyUpkeep'`)
    expect(rows).toHaveLength(1)
  })

  test('cannot be sent once they are closed', async () => {
    const jobs = openJobs({ database, handlers: {}, log })
    await jobs.close()

    await expect(jobs.send('passwordReset', { email: 'ada' })).rejects.toThrow('the job queue is closed')
    await expect(jobs.transact(db, () => Promise.resolve())).rejects.toThrow('the job queue is closed')
  })

  test('do not start in a shop that is closed while starting', async () => {
    const closed = await openDatabase({})
    await closed.close()
    const jobs = openJobs({ database: closed, handlers: {}, log })
    await jobs.close()

    await expect(jobs.start()).resolves.toBeUndefined()
  })
})
