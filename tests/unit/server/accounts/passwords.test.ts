import * as argon2 from '@node-rs/argon2'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { openPasswords } from '#server/accounts/passwords.ts'
import { AbandonedError } from '#server/platform/bounded-queue.ts'
import { PATIENCE } from '#tests/support/patience.ts'

vi.mock('@node-rs/argon2', { spy: true })
beforeEach(() => vi.clearAllMocks())

const cheap = { memoryKib: 64, passes: 1 }
const PASSWORD = 'Correct-Horse-9'

describe('a stored password', () => {
  test('has the cost that OWASP recommends, and a random salt', async () => {
    const { hash } = openPasswords()
    const [first, second] = [await hash(PASSWORD), await hash(PASSWORD)]

    expect(first).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/)
    expect(first).not.toBe(second)
  })

  test('is accepted when right, and rejected when wrong', async () => {
    const { hash, check } = openPasswords(cheap)
    const stored = await hash(PASSWORD)

    expect(await check(PASSWORD, stored)).toEqual({ isRight: true })
    expect(await check('Correct-Horse-8', stored)).toEqual({ isRight: false })
  })

  test.each([
    ['less memory', { memoryKib: 32, passes: 2 }],
    ['fewer passes', { memoryKib: 64, passes: 1 }],
  ])('that was hashed with %s is hashed again after a successful check', async (_, former) => {
    const { check } = openPasswords({ memoryKib: 64, passes: 2 })
    const stored = await openPasswords(former).hash(PASSWORD)

    expect(await check('Correct-Horse-8', stored)).toEqual({ isRight: false })
    const { isRight, renewed = '' } = await check(PASSWORD, stored)
    expect([isRight, renewed]).toEqual([true, expect.stringContaining('m=64,t=2,p=1')])
    expect(await check(PASSWORD, renewed)).toEqual({ isRight: true })
  })
})

describe('the password of an unknown customer', () => {
  test('takes as much work to check as a wrong password', async () => {
    const { hash, check } = openPasswords()
    const stored = await hash(PASSWORD)
    await check('Wrong-Horse-9', stored)
    expect(await check('Wrong-Horse-9', undefined)).toEqual({ isRight: false })

    const checked = vi.mocked(argon2.verify).mock.calls.map(([against]) => String(against))
    expect(checked[0]).toBe(stored)
    expect(checked[1]).not.toBe(stored)
    expect(checked.map(against => argon2.parseOptions(against))).toEqual([
      argon2.parseOptions(stored),
      argon2.parseOptions(stored),
    ])
    expect(argon2.hash).toHaveBeenCalledTimes(1)
  })
})

describe('many password checks', () => {
  test('run four at a time, and fail with 503 when fifty wait', async () => {
    let running = 0
    let most = 0
    const { promise: gate, resolve: open } = Promise.withResolvers<void>()
    vi.mocked(argon2.verify).mockImplementation(async () => {
      most = Math.max(most, (running += 1))
      await gate
      running -= 1
      return true
    })
    const { check } = openPasswords(cheap)

    const crowd = Array.from({ length: 54 }, async () => check(PASSWORD, undefined))
    await expect(check(PASSWORD, undefined)).rejects.toMatchObject({
      code: 'UNAVAILABLE',
      message: 'Too many people are signing in, try again in a moment',
    })
    open()
    await Promise.all(crowd)

    expect(most).toBe(4)
    vi.mocked(argon2.verify).mockReset()
    expect(await check(PASSWORD, undefined)).toEqual({ isRight: false })
  })

  test('cost nothing and free their places when their clients have disconnected', async () => {
    const { promise: gate, resolve: open } = Promise.withResolvers<void>()
    vi.mocked(argon2.verify).mockImplementation(() => gate.then(() => true))
    const { check } = openPasswords(cheap)
    const gone = new AbortController()
    const served = Array.from({ length: 4 }, () => check(PASSWORD, undefined))
    await vi.waitFor(() => expect(argon2.verify).toHaveBeenCalledTimes(4), PATIENCE)

    const left = Array.from({ length: 50 }, () => check(PASSWORD, undefined, gone.signal))
    gone.abort()
    const reasons = (await Promise.allSettled(left)).map(each => each.status === 'rejected' && (each.reason as unknown))
    expect(reasons).toEqual(left.map(() => expect.any(AbandonedError) as unknown))
    const honest = check(PASSWORD, undefined)
    open()
    await Promise.all([...served, honest])

    expect(argon2.verify).toHaveBeenCalledTimes(5)
    vi.mocked(argon2.verify).mockReset()
  })
})

test.each(['P@ssw0rd', 'p@SSw0rd', 'Pa$$w0rd', '1Qaz@wsx'])('the common password %s is rejected', async password => {
  await expect(openPasswords(cheap).hash(password)).rejects.toMatchObject({
    code: 'INVALID_INPUT',
    message: 'This password is too easy to guess',
  })
})
