import { fork } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { freePort } from '#tests/support/ports.ts'
import { readCompressed } from './nginx.ts'

/** Starts a process of Node's HTTP server that does nothing but send the shop's gzip responses at `urls`. */
export async function startBareNode(urls: Record<string, string>) {
  const port = await freePort()
  const server = fork(import.meta.filename, [String(port), JSON.stringify(urls)])
  await once(server, 'message')
  return {
    origin: `http://127.0.0.1:${port}`,
    async stop() {
      server.kill('SIGTERM')
      await once(server, 'exit')
    },
  }
}

async function serve(port: number, urls: Record<string, string>): Promise<void> {
  const responses = new Map<string, Awaited<ReturnType<typeof readCompressed>>>()
  for (const [name, url] of Object.entries(urls)) responses.set(`/${name}`, await readCompressed(url))
  const server = createServer((request, response) => {
    const { headers, body } = responses.get(request.url ?? '')!
    response.writeHead(200, headers).end(body)
  })
  server.listen(port, '127.0.0.1', () => process.send?.('listening'))
}

if (import.meta.main)
  await serve(Number(process.argv[2]), JSON.parse(process.argv[3] ?? '{}') as Record<string, string>)
