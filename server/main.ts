import { createServer } from 'node:http'
import { pino } from 'pino'
import { type Config, ConfigError, readConfig, readEnvFile } from './config.ts'
import { DEMO_CUSTOMER } from './demo/customer.ts'
import { createDemo } from './demo/seed.ts'
import { openShop } from './shop.ts'

const HEADERS_MS = 10_000
const REQUEST_MS = 60_000
const CLOSING_MS = 10_000

try {
  readEnvFile()
  await run(readConfig())
} catch (error) {
  console.error(readable(error))
  process.exit(1)
}

async function run(config: Config): Promise<void> {
  const log = pino({ level: config.logLevel }, pino.destination(2))
  const shop = await openShop(config, log)
  const server = createServer({ headersTimeout: HEADERS_MS, requestTimeout: REQUEST_MS }, shop.answer)
  let isClosing = false
  const close = async () => {
    if (isClosing) return
    isClosing = true
    setTimeout(() => process.exit(1), CLOSING_MS).unref()
    server.close()
    server.closeIdleConnections()
    await shop.close()
    process.exit(0)
  }
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void close())

  if (config.isDemo && shop.provider)
    await createDemo({ db: shop.provider.database.db, media: shop.provider.media }).seed()
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(config.port, config.host, resolve)
  })
  console.log(greeting(config))
  await shop.warm().catch((error: unknown) => log.warn({ err: error }, 'the pages could not be warmed'))
}

function greeting(config: Config): string {
  const lines = [`Piazza is open at http://${config.host === '127.0.0.1' ? 'localhost' : config.host}:${config.port}`]
  if (config.providerUrl) lines.push(`Its provider is ${config.providerUrl}`)
  else if (config.isDemo)
    lines.push(`Demo customer: ${DEMO_CUSTOMER.email} with the password ${DEMO_CUSTOMER.password}`)
  if (!config.providerUrl && !config.databaseUrl)
    lines.push(
      `The embedded database in ${config.dataDir} survives a process crash, but not a power loss. For that, set DATABASE_URL.`,
    )
  return lines.join('\n')
}

function readable(error: unknown): string {
  if (error instanceof ConfigError) return `The configuration is wrong:\n${error.message}`
  const { code, message, port, address } = error as NodeJS.ErrnoException & { port?: number; address?: string }
  if (code === 'EADDRINUSE')
    return `Something listens on ${address}:${port} already. Choose another port: PORT=4322 npm start`
  return `Piazza could not start: ${message}`
}
