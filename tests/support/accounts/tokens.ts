const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
let count = 0

/** A token that names a customer but has no valid signature. Each one is different. */
export function unsignedToken(customer: { id: string; name?: string; email?: string } = { id: 'ada' }): string {
  return [part({ alg: 'none', jti: (count += 1) }), part({ name: 'Ada', email: '', ...customer }), 'x'].join('.')
}

/** The provider's response to a login or refresh. */
export function session(token: string) {
  return { token, isSafari: false, cookieFallback: false }
}
