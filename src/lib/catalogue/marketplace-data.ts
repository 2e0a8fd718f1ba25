/** schema.org data for the marketplace itself: the organisation and the site search. */
export function marketplaceData({ publicUrl, supportEmail }: { publicUrl: string; supportEmail: string }): object[] {
  const url = `${publicUrl}/`
  const search = `${publicUrl}/products/search?value={search_term_string}`
  return [
    {
      '@context': 'https://schema.org',
      '@type': 'Organization',
      name: 'Piazza',
      url,
      logo: `${publicUrl}/icon-512.png`,
      email: supportEmail,
    },
    {
      '@context': 'https://schema.org',
      '@type': 'WebSite',
      name: 'Piazza',
      url,
      potentialAction: {
        '@type': 'SearchAction',
        target: { '@type': 'EntryPoint', urlTemplate: search },
        'query-input': 'required name=search_term_string',
      },
    },
  ]
}
