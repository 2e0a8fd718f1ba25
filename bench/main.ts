const BENCHES: Record<string, () => Promise<{ run: (args: string[]) => Promise<void> }>> = {
  import: () => import('./import.ts'),
  queries: () => import('./queries.ts'),
  growth: () => import('./growth.ts'),
  pages: () => import('./pages.ts'),
  caches: () => import('./caches.ts'),
  orders: () => import('./orders.ts'),
  sockets: () => import('./sockets.ts'),
  checkout: () => import('./checkout.ts'),
  nodes: () => import('./nodes.ts'),
  lighthouse: () => import('./lighthouse.ts'),
  interactions: () => import('./interactions.ts'),
}

const [name = '', ...args] = process.argv.slice(2)
const load = BENCHES[name]
if (load) await (await load()).run(args)
else {
  console.error(`npm run bench -- ${Object.keys(BENCHES).join('|')}`)
  process.exitCode = 1
}
