const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
let count = 0

/** A bearer that names a customer and that no provider would accept; each one is different. */
export function unsignedToken(customer: { id: string; name?: string; email?: string } = { id: 'ada' }): string {
  return [part({ alg: 'none', jti: (count += 1) }), part({ name: 'Ada', email: '', ...customer }), 'x'].join('.')
}

/** What the provider answers to a refresh or a login. */
export function session(token: string) {
  return { token, isSafari: false, cookieFallback: false }
}
