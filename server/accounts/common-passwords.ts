/** The passwords among the 49,000 of @zxcvbn-ts/language-common that meet the shop's rules, in lower case. */
const COMMON = new Set([
  'p@ssw0rd',
  'pa$$w0rd',
  '1qaz@wsx',
  '1qaz!qaz',
  '!qaz2wsx',
  '!qazxsw2',
  'zaq!2wsx',
  'sasha_007',
  'ybrbnf_25',
  'ncc-1701',
  'doc_0815',
  'fre_ak8yj',
  'l58jkdjp!',
  'p030710p$e4o',
  'wapbbs_1',
  'nick1234-rem936',
])

/** Whether this is a common password, ignoring case. */
export function isCommonPassword(password: string): boolean {
  return COMMON.has(password.toLowerCase())
}
