import {
  CURRENCY_KEY,
  CURRENCY_SHOWN,
  type StoredCurrency,
  shownCurrency,
  readCurrency,
  showPrices,
  VISITOR_CURRENCY_KEY,
} from '#lib/currency.ts'
import { DOLLARS } from '#lib/format.ts'
import { arrivalDates } from '#lib/orders/arrival.ts'
import { readToken } from '#lib/accounts/storage.ts'
import { storeVisitorCurrency, readVisitorCurrency } from '#lib/visitor-currency.ts'
import { closeOnLeaving } from './close-on-leaving.ts'
import { stayWhileOffline } from './offline-navigation.ts'

/** The provider loads new rates every twelve hours. */
const RATE_FRESH_MS = 6 * 3600_000

let isStarted = false

// Here, because it must be loaded before the network is gone.
stayWhileOffline()
closeOnLeaving()

/**
 * Shows the shopper's country and currency on this page. Also shows recently viewed products if `sign` is an event in
 * this tab: an event from another tab does not mean that anybody looks at this page.
 */
export function startShopper(sign?: Event): void {
  const isHere = sign !== undefined && sign.type !== 'storage'
  if (isHere && document.querySelector('[data-recently-viewed]'))
    void import('./catalogue/viewed.ts').catch(() => undefined)
  const form = document.querySelector<HTMLFormElement>('[data-visitor-choice]')
  if (isStarted || !form) return
  isStarted = true
  void connect(form)
}

/** Shows country and currency, and handles the visitor's choices. */
async function connect(form: HTMLFormElement): Promise<void> {
  const loadChoice = () => import('./accounts/visitor-choice.ts')
  const take = () =>
    void loadChoice().then(
      ({ choose }) => choose(form),
      () => undefined,
    )
  const show = () => void showShopper(form)
  form.addEventListener('change', take)
  addEventListener('storage', ({ key }) => (key === VISITOR_CURRENCY_KEY || key === CURRENCY_KEY) && show())
  // Dispatched once the customer's account has been loaded.
  addEventListener(CURRENCY_SHOWN, () => readToken() && show())
  // The choice may have changed before this page was restored from the back/forward cache.
  addEventListener('pageshow', ({ persisted }) => persisted && show())
  // A choice in the form may have been the event that loaded this script.
  if (Array.from(form.querySelectorAll('select')).some(({ selectedIndex }) => selectedIndex > 0)) return take()
  await showShopper(form)
  if (isOld())
    void loadChoice().then(
      ({ refreshRate }) => refreshRate(),
      () => undefined,
    )
}

function isOld(): boolean {
  const { currency, asOf = 0 }: StoredCurrency = readVisitorCurrency() ?? DOLLARS
  return currency !== DOLLARS.currency && Math.abs(Date.now() - asOf) > RATE_FRESH_MS
}

async function showShopper(form: HTMLFormElement): Promise<void> {
  const country = readCurrency()?.country || (await visitorCountry())
  const { currency } = readVisitorCurrency() ?? DOLLARS
  for (const [name, value] of Object.entries({ country, currency })) {
    const select = form.elements.namedItem(name) as HTMLSelectElement
    select.value = value
  }
  // A customer's prices follow the account.
  if (!readToken()) showPrices(shownCurrency())
  if (!country) return
  for (const text of document.querySelectorAll<HTMLElement>('[data-ships-to]')) showShipping(text, country)
  offerFirst(country)
}

/** The country that the visitor chose, or a guess, which is then stored. Empty if neither exists. */
async function visitorCountry(): Promise<string> {
  const known = readVisitorCurrency()?.country
  if (known) return known
  // Without the network, the next page guesses.
  const guessing = await import('#lib/guess-country.ts').catch(() => undefined)
  // The visitor may have chosen one in another tab in the meantime.
  const stored = readVisitorCurrency()
  if (stored?.country) return stored.country
  const country = guessing?.guessCountry(Intl.DateTimeFormat().resolvedOptions().timeZone, navigator.languages)
  if (country) storeVisitorCurrency({ ...DOLLARS, ...stored, country, isGuess: true })
  return country ?? ''
}

/** Shows the cost and the arrival of a delivery to the country, taken from the list of all countries on the page. */
function showShipping(text: HTMLElement, country: string): void {
  const details = text.closest('details')
  const rows = Array.from(details?.querySelectorAll('li') ?? [])
  const row = rows.find(({ firstElementChild }) => firstElementChild?.textContent === country)
  const price = row?.lastElementChild
  const cost = price && (price.matches('[data-usd]') ? [' for ', price.cloneNode(true)] : [', free of charge'])
  const name = document.createElement('strong')
  name.append(country)
  const arrival = details?.querySelector('[data-arrives]')
  const [from, until = from] = row?.querySelector('small')?.textContent.match(/\d+/g)?.map(Number) ?? []
  if (arrival) arrival.textContent = from === undefined ? '' : `Arrives ${arrivalDates([from, until ?? from])}`
  text.replaceChildren(row ? 'Ships to ' : 'Does not ship to ', name, ...(cost ?? []))
}

/** Moves the country to the top of the filter's list. */
function offerFirst(country: string): void {
  const select = document.querySelector<HTMLSelectElement>('select[name=shipsTo]')
  const own = Array.from(select?.options ?? []).find(({ value }) => value === country)
  if (own) select?.options[0]?.after(own)
}
