import { defineConfig, type OxlintOverride } from 'oxlint'

/**
 * Files in `folder` (or matching it, if it ends in `.ts`) may not import from the listed folders or packages. For one
 * file the last matching entry counts.
 */
function forbid(folder: string, message: string, folders: string[], packages: string[] = []): OxlintOverride {
  const group = [...folders.flatMap(name => [`#${name}/**`, `#server/${name}/**`, `../**/${name}/**`]), ...packages]
  if (folder.startsWith('server/')) group.push(...composition)
  return {
    files: [folder.endsWith('.ts') ? folder : `${folder}/**`],
    rules: { 'no-restricted-imports': ['error', { patterns: [{ group, message }] }] },
  }
}

const storefront = ['components', 'islands', 'layouts', 'page-scripts', 'stores', 'lib']
/** The domains of the provider. Each may use those before it. */
const domains = [
  'notifications',
  'rates',
  'accounts',
  'uploads',
  'catalogue',
  'cart',
  'orders',
  'payments',
  'returns',
  'chat',
]
/** The parts of the provider that use the others and that no other uses. */
const ends = ['realtime', 'page-cache', 'personal-data', 'upkeep', 'operators']
/** The files of the provider that compose its rooms. */
const composition = ['app', 'config', 'process', 'provider', 'serve'].map(name => `../${name}.ts`)

const ROUTES = 'Routes translate: the database is for services, and domains further up do not concern them.'
const notForRoutes = ['astro', 'react', 'drizzle-orm', '**/db/schema.ts']

export default defineConfig({
  plugins: ['typescript', 'import', 'react', 'jsx-a11y', 'unicorn', 'vitest'],
  categories: { correctness: 'error', suspicious: 'error' },
  options: { typeAware: true, typeCheck: true },
  ignorePatterns: ['dist/**', '.dist/**', 'dist-content/**', 'data/**', '**/.astro/**', 'server/db/migrations/**'],
  rules: {
    'max-lines': ['error', { max: 300 }],
    'import/no-cycle': ['error', { ignoreTypes: false }],
    'import/no-unassigned-import': ['error', { allow: ['**/*.css'] }],
    'import/no-default-export': 'error',
    'typescript/no-floating-promises': 'error',
    'typescript/consistent-type-imports': 'error',
    'vitest/no-focused-tests': 'error',
    'vitest/no-disabled-tests': 'error',
    'react/react-in-jsx-scope': 'off',
    // `const { omitted, ...rest } = object` names a variable only to leave it out.
    'no-unused-vars': ['error', { ignoreRestSiblings: true, argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
    'no-shadow': 'off',
    'typescript/unbound-method': 'off',
    'no-underscore-dangle': 'off',
    'unicorn/consistent-function-scoping': 'off',
    'no-await-in-loop': 'off',
    'typescript/no-unsafe-type-assertion': 'off',
    'typescript/no-unnecessary-type-parameters': 'off',
  },
  overrides: [
    {
      files: [
        '*.config.*',
        'editor/*.config.*',
        '**/*.astro',
        'scripts/test/mutant-runner.ts',
        'src/env.d.ts',
        'src/scripts/touch.ts',
        'src/scripts/buy.ts',
        'tests/support/**',
        'src/pages/**',
      ],
      rules: { 'import/no-default-export': 'off' },
    },
    forbid(
      'contract',
      'The contract depends on zod only.',
      ['server', ...storefront],
      ['react', 'hono', 'drizzle-orm'],
    ),
    forbid('server', 'The provider knows nothing of the storefront.', storefront, ['astro', 'react']),
    forbid('server/platform', 'The platform knows no domain.', ['http', ...domains, ...ends, ...storefront], ['hono']),
    forbid('server/http', 'HTTP knows no domain.', [...domains, ...ends, ...storefront]),
    forbid(
      'server/db',
      'The database knows nothing of who asks.',
      ['platform', 'http', 'media', 'mail', ...domains, ...ends, ...storefront],
      ['astro', 'react', 'hono'],
    ),
    ...domains.map((domain, at) =>
      forbid(`server/${domain}`, 'Services know neither HTTP nor who uses them: routes, other domains, operators.', [
        'http',
        ...domains.slice(at + 1),
        ...ends,
        ...storefront,
      ]),
    ),
    forbid('server/media', 'Pictures are files, whatever they show.', [
      'http',
      'db',
      ...domains,
      ...ends,
      ...storefront,
    ]),
    forbid('server/chat/ai', 'An assistant knows only what it is told.', [
      'http',
      'db',
      ...domains,
      ...ends,
      ...storefront,
    ]),
    forbid('server/mail', 'A letter knows only what it is told.', ['http', ...domains, ...ends, ...storefront]),
    forbid('server/payments/providers', 'A payment provider knows no orders.', [
      'http',
      'orders',
      'mail',
      ...ends,
      ...storefront,
    ]),
    forbid('server/page-cache', 'Stored pages know nothing of the provider.', [
      'db',
      'media',
      'mail',
      'operators',
      ...domains,
      ...storefront,
    ]),
    forbid(
      'server/catalogue/files',
      'A catalogue file goes through services.',
      ['http', ...ends, ...storefront],
      ['hono'],
    ),
    forbid('server/**/*routes.ts', ROUTES, [...ends, ...storefront], notForRoutes),
    ...['media', ...domains].map(room =>
      forbid(
        `server/${room}/**/*routes.ts`,
        ROUTES,
        [...domains.slice(domains.indexOf(room) + 1), ...ends, ...storefront],
        notForRoutes,
      ),
    ),
    forbid(
      'src/lib',
      'lib is plain functions.',
      ['server', 'components', 'islands', 'layouts', 'stores', 'page-scripts'],
      ['react', 'nanostores'],
    ),
    forbid(
      'src/stores',
      'Stores do not know who renders them.',
      ['server', 'components', 'islands', 'layouts', 'page-scripts'],
      ['react'],
    ),
    forbid(
      'src/scripts',
      'Scripts of pages do without React.',
      ['server', 'components', 'islands', 'layouts'],
      ['react'],
    ),
    forbid('src/components', 'Components have no state.', ['server', 'stores', 'islands', 'layouts', 'page-scripts']),
    forbid('src/islands', 'Islands know neither pages nor the provider.', ['server', 'layouts']),
    forbid('src/layouts', 'Layouts are for everyone.', ['server', 'stores']),
    {
      files: ['tests/e2e/**'],
      rules: {
        'no-restricted-imports': [
          'error',
          {
            patterns: [
              {
                group: ['#tests/support/provider/{shop,small-shop,demo-shop}.ts'],
                message: 'testWithOwn starts shops: its tests are skipped when BASE_URL is set.',
              },
            ],
          },
        ],
      },
    },
    forbid('src/pages', 'Pages are for everyone; who is looking is an island.', ['server', 'stores']),
  ],
})
