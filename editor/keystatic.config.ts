import { collection, config, fields } from '@keystatic/core'
import { FOOTER_PLACES } from '#contract/policies.ts'

const POLICIES = 'src/content/policies'

export default config({
  storage: { kind: 'local' },
  ui: { brand: { name: 'Piazza' } },
  collections: {
    policies: collection({
      label: 'Policy pages',
      path: `${POLICIES}/*`,
      slugField: 'title',
      columns: ['title', 'updated'],
      format: { contentField: 'body' },
      schema: {
        title: fields.slug({
          name: { label: 'Title', validation: { length: { min: 1, max: 80 } } },
          slug: { label: 'Address', description: 'The end of the page’s address, such as privacy-policy' },
        }),
        description: fields.text({
          label: 'Description',
          description: 'What search engines show',
          validation: { length: { min: 1, max: 200 } },
        }),
        updated: fields.date({
          label: 'Changed on',
          defaultValue: { kind: 'today' },
          validation: { isRequired: true },
        }),
        footer: fields.select({
          label: 'Column of the footer',
          options: FOOTER_PLACES.map(value => ({ label: value, value })),
          defaultValue: 'help',
        }),
        order: fields.integer({
          label: 'Place in the column',
          defaultValue: 1,
          validation: { isRequired: true, min: 0 },
        }),
        // Without components, MDX writes plain Markdown.
        body: fields.mdx({
          label: 'Text',
          extension: 'md',
          options: { image: { directory: `${POLICIES}/pictures`, publicPath: './pictures/' } },
        }),
      },
    }),
  },
})
