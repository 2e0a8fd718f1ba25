/** A published vulnerability of a package. */
export interface Advisory {
  package: string
  /** A GHSA or CVE number. */
  id: string
  severity: string
  /** The vulnerable versions, as a semver range. */
  vulnerable: string
  /** Why a vulnerable version is accepted. */
  accepted?: string
}

interface Via {
  name: string
  url: string
  severity: string
  range: string
}

interface Report {
  message?: string
  vulnerabilities?: Record<string, { via: (Via | string)[] }>
}

/** The advisories in the output of `npm audit --json`. Throws an Error with the reason if it is not a report. */
export function readAudit(text: string): Advisory[] {
  const { vulnerabilities, message } = parse(text)
  if (!vulnerabilities) throw new Error(message ?? 'npm audit printed no report')
  return (
    Object.values(vulnerabilities)
      .flatMap(({ via }) => via)
      // A string only names another package of the report.
      .filter(via => typeof via !== 'string')
      .map(({ name, url, severity, range }) => {
        return { package: name, id: url.split('/').at(-1) ?? url, severity, vulnerable: range }
      })
  )
}

/** Merges both lists, sorted. Accepted advisories stay accepted. */
export function merge(known: Advisory[], found: Advisory[]): Advisory[] {
  const keyOf = (advisory: Advisory) => `${advisory.package} ${advisory.id}`
  const all = new Map(known.map(advisory => [keyOf(advisory), advisory]))
  for (const advisory of found) all.set(keyOf(advisory), { ...all.get(keyOf(advisory)), ...advisory })
  return [...all.values()].toSorted((a, b) => keyOf(a).localeCompare(keyOf(b), 'en'))
}

function parse(text: string): Report {
  try {
    return JSON.parse(text) as Report
  } catch {
    throw new Error('npm audit printed no JSON')
  }
}
