import { defineConfig, type OxlintOverride } from 'oxlint'

/** Files in `folder` may not import from the listed folders or packages. For one file the last matching entry counts. */
function forbid(folder: string, message: string, folders: string[], packages: string[] = []): OxlintOverride {
  const group = [...folders.flatMap(name => [`#${name}/**`, `#server/${name}/**`, `../**/${name}/**`]), ...packages]
  return {
    files: [`${folder}/**`],
    rules: { 'no-restricted-imports': ['error', { patterns: [{ group, message }] }] },
  }
}

const storefront = ['components', 'islands', 'layouts', 'stores', 'lib']
/** The parts of the provider that use the others and that no other uses. */
const ends = ['routes', 'pages', 'cli', 'demo']

export default defineConfig({
  plugins: ['typescript', 'import', 'react', 'jsx-a11y', 'unicorn', 'vitest'],
  categories: { correctness: 'error', suspicious: 'error' },
  options: { typeAware: true },
  ignorePatterns: ['dist/**', '.dist/**', 'dist-content/**', 'data/**', '**/.astro/**', 'server/db/migrations/**'],
  rules: {
    'max-lines': ['error', { max: 300 }],
    'import/no-cycle': 'error',
    'import/no-unassigned-import': ['error', { allow: ['**/*.css'] }],
    'import/no-default-export': 'error',
    'typescript/no-floating-promises': 'error',
    'typescript/consistent-type-imports': 'error',
    'vitest/no-focused-tests': 'error',
    'vitest/no-disabled-tests': 'error',
    'react/react-in-jsx-scope': 'off',
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
        'src/env.d.ts',
        'scripts/test/flaky-reporter.ts',
        'src/lib/touch.ts',
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
    forbid(
      'server/db',
      'The database knows nothing of who asks.',
      ['services', 'import', 'export', 'media', 'mail', 'payments', ...ends, ...storefront],
      ['astro', 'react', 'hono'],
    ),
    forbid('server/media', 'Pictures are files, whatever they show.', ['services', 'db', ...ends, ...storefront]),
    forbid('server/uploads', 'Files know nothing of the messages that they come with.', [
      'services',
      'db',
      ...ends,
      ...storefront,
    ]),
    forbid('server/ai', 'An assistant knows only what it is told.', ['services', 'db', ...ends, ...storefront]),
    forbid('server/mail', 'A letter knows only what it is told.', ['services', 'payments', ...ends, ...storefront]),
    forbid(
      'server/payments',
      'A payment provider knows no orders.',
      ['mail', ...ends, ...storefront],
      ['astro', 'react'],
    ),
    forbid('server/pages', 'Stored pages know nothing of the provider.', [
      'services',
      'db',
      'media',
      'import',
      'export',
      'mail',
      'payments',
      'routes',
      'cli',
      'demo',
      ...storefront,
    ]),
    forbid('server/import', 'A catalogue comes in through services.', [...ends, ...storefront], ['hono']),
    forbid('server/export', 'A catalogue goes out through services.', [...ends, ...storefront], ['hono']),
    forbid(
      'server/services',
      'Services speak no HTTP.',
      ['import', 'export', ...ends, ...storefront],
      ['astro', 'react', 'hono', 'hono/**'],
    ),
    forbid(
      'server/routes',
      'Routes translate; the database is for services.',
      ['import', 'export', 'pages', 'cli', 'demo', ...storefront],
      ['astro', 'react', 'drizzle-orm', '**/db/schema.ts'],
    ),
    forbid(
      'src/lib',
      'lib is plain functions.',
      ['server', 'components', 'islands', 'layouts', 'stores'],
      ['react', 'nanostores'],
    ),
    forbid(
      'src/stores',
      'Stores do not know who renders them.',
      ['server', 'components', 'islands', 'layouts'],
      ['react'],
    ),
    forbid('src/components', 'Components have no state.', ['server', 'stores', 'islands', 'layouts']),
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
                group: ['**/support/shop.ts', '#tests/support/{shop,small-shop,demo-shop}.ts'],
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
