/** The result of a payment with a test number. */
export type Outcome = 'succeeds' | 'declined' | 'succeeds later' | 'fails later'

export const METHODS = ['card', 'mobilemoney', 'ussd'] as const
export type Method = (typeof METHODS)[number]

/** Digits without spaces. All other numbers are rejected: nobody should type a real card number into a sandbox. */
const CARDS: Record<string, Outcome> = {
  '4242424242424242': 'succeeds',
  '4000000000000002': 'declined',
  '4000000000000077': 'succeeds later',
  '4000000000000341': 'fails later',
}
const PHONES: Record<string, Outcome> = {
  '254700000001': 'succeeds',
  '254700000002': 'declined',
  '254700000003': 'succeeds later',
  '254700000004': 'fails later',
}

const NUMBERS: Record<Method, Record<string, Outcome>> = { card: CARDS, mobilemoney: PHONES, ussd: PHONES }

/** The result of a payment with this number; undefined unless it is one of the test numbers. */
export function outcomeOf(method: Method, number: string): Outcome | undefined {
  const digits = number.replaceAll(/\D/g, '')
  return Object.hasOwn(NUMBERS[method], digits) ? NUMBERS[method][digits] : undefined
}

/** A method's test numbers, formatted for display. */
export function numbersOf(method: Method): { number: string; outcome: Outcome }[] {
  return Object.entries(NUMBERS[method]).map(([digits, outcome]) => ({
    number:
      method === 'card' ? digits.replaceAll(/(.{4})(?=.)/g, '$1 ') : `+${digits.replaceAll(/(.{3})(?=.)/g, '$1 ')}`,
    outcome,
  }))
}
