export type HelpTopic = 'orders' | 'returns' | 'delivery' | 'contact'

const FILLERS = wordsOf(
  `where wheres is are take long my the a an how do does i can to what whats your you for about when will it get me us`,
)
/** Matched against the search without `FILLERS`. */
const SEARCHES: [topic: HelpTopic, searches: RegExp][] = [
  [
    'orders',
    /^(orders?|parcel|cancel order|track(ing)?|order (status|history|tracking)|track (orders?|parcel|package|delivery))$/,
  ],
  ['returns', /^((returns?|refunds?)( (policy|item|order|something))?|send back|money back|exchange)$/],
  ['delivery', /^((ship|shipping|deliver|delivery)( (costs?|time|policy))?|postage)$/],
  ['contact', /^(contact|help|support|customer (service|support|care)|complaint|(speak|talk) (human|person))$/],
]

/** What a search such as 'where is my order?' asks of the shop itself; undefined if it is for goods. */
export function helpTopicOf(search: string): HelpTopic | undefined {
  const words = wordsOf(search.toLowerCase().replaceAll(/['’]/g, ''))
  const asked = words.filter(word => !FILLERS.includes(word)).join(' ')
  return SEARCHES.find(([, searches]) => searches.test(asked))?.[0]
}

function wordsOf(text: string): string[] {
  return text.match(/\p{L}+/gu) ?? []
}
