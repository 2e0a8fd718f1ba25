import { describe, expect, test } from 'vitest'
import { ConfigError, readConfig } from '#server/config.ts'

const fault = (environment: Record<string, string>): string => {
  try {
    readConfig(environment)
  } catch (error) {
    if (error instanceof ConfigError) return error.message
    throw error
  }
  return 'nothing is wrong'
}

describe('the configuration', () => {
  test('has default hold limits, which the operator can change', () => {
    expect(readConfig({}).holdLimits).toEqual({
      confirmed: { units: 100, cents: 10_000_000 },
      unconfirmed: { units: 10, cents: 1_000_000 },
    })
    expect(readConfig({ HOLD_LIMITS: 'units=500, unconfirmedValue=50,' }).holdLimits).toEqual({
      confirmed: { units: 500, cents: 10_000_000 },
      unconfirmed: { units: 10, cents: 5000 },
    })
  })

  test('has default rate limits, which entries change by name', () => {
    const { limits } = readConfig({ LIMITS: ' register=1000/1h, placeOrder=600/1m,login=7/90s,' })

    expect(limits.register).toEqual({ points: 1000, seconds: 3600 })
    expect(limits.placeOrder).toEqual({ points: 600, seconds: 60 })
    expect(limits.login).toEqual({ points: 7, seconds: 90 })
    expect(limits.loginPerIp).toEqual({ points: 30, seconds: 900 })
  })

  test('has an access token lifetime of ten minutes, or as configured', () => {
    const minutes = [undefined, '5', '60'].map(BEARER_MINUTES => readConfig({ BEARER_MINUTES }).bearerMinutes)

    expect(minutes).toEqual([10, 5, 60])
  })

  test.each([
    ['LIMITS', 'register=1000', "'register=1000' is not a limit such as register=1000/1h"],
    ['LIMITS', 'register=0/1h', "'register=0/1h' is not a limit"],
    ['LIMITS', 'register=1/1h,guess=1/1h', "'guess' is none of register, login,"],
    ['LIMITS', 'toString=1/1h', "'toString' is none of"],
    ['HOLD_LIMITS', 'units', "'units' is not a limit such as units=500"],
    ['HOLD_LIMITS', 'units=0', "'units=0' is not a limit"],
    ['HOLD_LIMITS', 'toString=1', "'toString' is none of units, value, unconfirmedUnits, unconfirmedValue"],
    ['BEARER_MINUTES', '4', 'must be a number of minutes from 5 to 60'],
    ['BEARER_MINUTES', '61', 'must be a number of minutes from 5 to 60'],
    ['BEARER_MINUTES', '7.5', 'must be a number of minutes from 5 to 60'],
    ['TRUSTED_PROXIES', 'yes', 'must be a number from 0 to 9'],
    ['TRUSTED_PROXIES', '-1', 'must be a number from 0 to 9'],
    ['GEMINI_URL', 'gemini', 'must be an address such as https://generativelanguage.googleapis.com'],
    ['GEMINI_MODEL', '../../x', 'must be the name of a model such as gemini-3.8-flash'],
    ['PROCESSES', '0', 'must be a number from 1 to 64, or auto'],
    ['CDN_PURGE', 'akamai', 'must be one of varnish, fastly, cloudflare'],
    ['CDN_PURGE_URL', 'localhost:6081', 'must be an address such as https://api.fastly.com/service/ID'],
    ['CDN_PURGE_URL', 'http://a:6081, localhost:6081', 'must be an address such as https://api.fastly.com/service/ID'],
    ['CDN_PURGE_URL', 'xhttps://a', 'must be an address such as https://api.fastly.com/service/ID'],
    ['PUBLIC_URL', 'shop.example', 'must be an address such as https://shop.example'],
    ['PUBLIC_URL', 'https://shop.example/store', 'must be a scheme and a host without a path'],
    ['CORS_ORIGINS', '*', 'must be an address such as https://app.example'],
    ['CORS_ORIGINS', 'https://app.example/', 'must be a scheme and a host without a path'],
    ['CORS_ORIGINS', 'https://app.example, https://*.example/x', 'must be a scheme and a host without a path'],
  ])('rejects %s=%s', (name, value, text) => {
    expect(fault({ [name]: value })).toContain(`${name}=${value}: ${text}`)
  })

  test('uses Gemini when there is a key, which is never shown in errors', () => {
    expect(readConfig({}).gemini).toBeNull()
    expect(readConfig({ GEMINI_API_KEY: 'AIza-0123456789' }).gemini).toEqual({
      apiKey: 'AIza-0123456789',
      url: 'https://generativelanguage.googleapis.com',
      model: 'gemini-3.8-flash',
    })
    expect(fault({ GEMINI_API_KEY: 'my secret key' })).toBe(
      'GEMINI_API_KEY=…: must be a key of 10 characters or more, without spaces',
    )
  })

  test('ignores a slash at the end of the shop’s address', () => {
    expect(readConfig({ PUBLIC_URL: 'https://Shop.example/' }).publicUrl).toBe('https://shop.example')
  })

  test('never shows the password of the mail server in errors', () => {
    expect(fault({ SMTP_URL: 'http://user:secret@mail.example' })).toBe(
      'SMTP_URL=…: must be an address such as smtps://user:password@mail.example:465',
    )
  })

  describe('for payments', () => {
    test('uses the sandbox on a laptop by default, and no provider elsewhere', () => {
      const [database, https] = [{ DATABASE_URL: 'postgres://db/piazza' }, { PUBLIC_URL: 'https://shop.example' }]
      expect(readConfig({}).payment).toEqual({ provider: 'sandbox' })
      expect(readConfig(database).payment).toBeNull()
      expect(readConfig(https).payment).toBeNull()
      expect(readConfig({ ...database, ...https, PAYMENT_PROVIDER: 'sandbox' }).payment).toEqual({
        provider: 'sandbox',
      })
    })

    test('rejects a provider whose keys are missing or blank', () => {
      const keys = { PAYMENT_PROVIDER: 'stripe', STRIPE_PUBLISHABLE_KEY: 'pk_1', STRIPE_SECRET_KEY: ' ' }
      expect(fault({ ...keys, STRIPE_WEBHOOK_SECRET: 'hash' })).toBe(
        'STRIPE_SECRET_KEY is missing: PAYMENT_PROVIDER=stripe needs it',
      )
    })

    test('rejects keys of Stripe that are mixed up, without showing them', () => {
      expect(fault({ STRIPE_PUBLISHABLE_KEY: 'sk_live_1', STRIPE_SECRET_KEY: 'pk_live_1' })).toBe(
        [
          'STRIPE_PUBLISHABLE_KEY=…: must be a publishable key, which begins with pk_',
          'STRIPE_SECRET_KEY=…: must be a secret or restricted key, which begins with sk_ or rk_',
        ].join('\n'),
      )
    })

    test('needs no keys when PROVIDER_URL is set', () => {
      const { payment, paymentSources } = readConfig({
        PAYMENT_PROVIDER: 'stripe',
        PROVIDER_URL: 'https://api.shop.example',
      })
      expect(payment).toBeNull()
      expect(paymentSources).toEqual(['https://js.stripe.com', 'https://*.stripe.com'])
    })
  })

  test('reads FAIL_AT only in tests', () => {
    expect(readConfig({ FAIL_AT: 'readPayment:responded' }).failAt).toBeUndefined()
    expect(readConfig({ FAIL_AT: 'readPayment:responded', NODE_ENV: 'production' }).failAt).toBeUndefined()
    expect(readConfig({ FAIL_AT: 'readPayment:responded', NODE_ENV: 'test' }).failAt).toBe('readPayment:responded')
  })

  describe('for a file bucket', () => {
    const s3 = {
      S3_BUCKET: 'piazza-files',
      S3_REGION: 'eu-central-1',
      S3_ACCESS_KEY_ID: 'AKIA123',
      S3_SECRET_ACCESS_KEY: 'hunter2',
    }

    test('is optional', () => {
      expect(readConfig({}).s3).toBeNull()
    })

    test('can be Amazon’s or another endpoint', () => {
      expect(readConfig(s3).s3).toMatchObject({ bucket: 'piazza-files', endpoint: undefined })
      expect(readConfig({ ...s3, S3_ENDPOINT: 'http://127.0.0.1:9000' }).s3?.endpoint).toBe('http://127.0.0.1:9000')
    })

    test.each(Object.keys(s3))('is rejected without %s', name => {
      const half = { ...s3, [name]: ' ' }
      expect(fault(half)).toBe(`${name} is missing: a bucket for files needs it`)
      expect(fault({ ...half, S3_ENDPOINT: 'http://127.0.0.1:9000' })).not.toContain('hunter2')
    })

    test('is rejected when there is only an endpoint', () => {
      expect(fault({ S3_ENDPOINT: 'https://s3.example' }).split('\n')).toHaveLength(4)
      expect(fault({ S3_ENDPOINT: 's3.example' })).toContain('S3_ENDPOINT=s3.example: must be an address such as')
    })
  })

  test('allows several processes on PostgreSQL only', () => {
    expect(fault({ PROCESSES: '2' })).toContain('PROCESSES needs DATABASE_URL')
    expect(readConfig({ PROCESSES: '2', DATABASE_URL: 'postgres://localhost/piazza' }).processes).toBe(2)
    expect(readConfig({}).processes).toBe(1)
  })

  describe('of a CDN', () => {
    const given = { CDN_PURGE: 'varnish', CDN_PURGE_URL: 'http://a:6081/, http://b:6081', CDN_PURGE_KEY: 'secret' }

    test('may name several Varnish servers', () => {
      expect(readConfig({}).cdn).toBeNull()
      expect(readConfig(given).cdn).toEqual({
        service: 'varnish',
        urls: ['http://a:6081', 'http://b:6081'],
        key: 'secret',
      })
    })

    test.each(['CDN_PURGE', 'CDN_PURGE_URL', 'CDN_PURGE_KEY'] as const)('is rejected without %s', name => {
      expect(fault({ ...given, [name]: '' })).toBe(`${name} is missing: purging a CDN needs it`)
      const others = Object.keys(given).filter(other => other !== name)
      const missing = others.map(other => `${other} is missing: purging a CDN needs it`)
      expect(fault({ [name]: given[name] })).toBe(missing.join('\n'))
    })

    test('is rejected where the provider is another process', () => {
      expect(fault({ ...given, PROVIDER_URL: 'https://api.shop.example' })).toContain('leave out PROVIDER_URL')
    })
  })

  test('contains the CORS origins and the number of trusted proxies', () => {
    const given = { CORS_ORIGINS: 'https://app.example,http://localhost:3000', TRUSTED_PROXIES: '2' }

    expect(readConfig(given)).toMatchObject({
      corsOrigins: ['https://app.example', 'http://localhost:3000'],
      trustedProxies: 2,
    })
    expect(readConfig({})).toMatchObject({ corsOrigins: [], trustedProxies: 0, smtpUrl: undefined })
  })
})
