import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { get, type IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '#tests/support/ports.ts'

const READY_MS = 5000
const OF_THE_CONNECTION = new Set([
  'connection',
  'date',
  'keep-alive',
  'content-length',
  'content-encoding',
  'content-type',
  'vary',
  'etag',
])

export function hasNginx(): boolean {
  return spawnSync('nginx', ['-v'], { stdio: 'ignore' }).status === 0
}

/** Starts an nginx with one worker that serves the shop's responses at `urls`: the same gzip bytes and headers. */
export async function startNginx(urls: Record<string, string>) {
  const folder = await mkdtemp(join(tmpdir(), 'piazza-nginx-'))
  const port = await freePort()
  const locations = await Promise.all(Object.entries(urls).map(([name, url]) => copy(folder, name, url)))
  await writeFile(join(folder, 'nginx.conf'), configuration(folder, port, locations))
  const nginx = spawn('nginx', ['-p', folder, '-c', 'nginx.conf', '-e', 'error.log'], { stdio: 'ignore' })
  const origin = `http://127.0.0.1:${port}`
  await isReady(`${origin}/${Object.keys(urls)[0]}`, nginx)
  return {
    origin,
    async stop() {
      nginx.kill('SIGTERM')
      await once(nginx, 'exit')
      await rm(folder, { recursive: true })
    },
  }
}

async function copy(folder: string, name: string, url: string): Promise<string> {
  const { headers, body } = await readCompressed(url)
  await writeFile(join(folder, `${name}.gz`), body)
  const own = Object.entries(headers).filter(([header]) => !OF_THE_CONNECTION.has(header))
  const lines = own.map(([header, value]) => `add_header ${header} ${JSON.stringify(value)};`)
  return `location = /${name} { ${lines.join('\n')} }`
}

/** The response to a request for gzip, still compressed, unlike one of `fetch`. */
export async function readCompressed(url: string) {
  const asking = get(url, { headers: { 'accept-encoding': 'gzip' } })
  const [response] = (await once(asking, 'response')) as [IncomingMessage]
  return { headers: response.headers as Record<string, string>, body: await buffer(response) }
}

function configuration(folder: string, port: number, locations: string[]): string {
  return `
    ${process.getuid?.() === 0 ? 'user root;' : ''}
    worker_processes 1;
    daemon off;
    pid ${folder}/nginx.pid;
    events { worker_connections 1024; }
    http {
      access_log off;
      sendfile on;
      tcp_nopush on;
      keepalive_requests 1000000;
      open_file_cache max=100;
      default_type "text/html; charset=utf-8";
      gzip_static always;
      gzip_vary on;
      client_body_temp_path ${folder}/a; proxy_temp_path ${folder}/b; fastcgi_temp_path ${folder}/c;
      uwsgi_temp_path ${folder}/d; scgi_temp_path ${folder}/e;
      server { listen 127.0.0.1:${port}; root ${folder}; ${locations.join('\n')} }
    }`
}

async function isReady(url: string, nginx: ChildProcess): Promise<void> {
  for (const deadline = Date.now() + READY_MS; Date.now() < deadline; await sleep(50)) {
    if (nginx.exitCode !== null) break
    const answer = await fetch(url).catch(() => null)
    if (answer?.ok) return
  }
  nginx.kill('SIGKILL')
  throw new Error('nginx did not start')
}
