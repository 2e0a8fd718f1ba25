import * as z from 'zod/mini'

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

export interface Endpoint<Input extends z.ZodMiniType = z.ZodMiniType, Output extends z.ZodMiniType = z.ZodMiniType> {
  method: Method
  /** Below `/api`; `:name` segments are fields of the input, the rest travels as query (GET, DELETE) or JSON body. */
  path: string
  input: Input
  output: Output
  /** Fields of the input that travel as headers of these names, in lower case. */
  headers?: Record<string, string>
  /** Needs a customer who is signed in: the client sends its bearer, the provider answers 409 without a live one. */
  isForCustomers?: true
  /** With `isForCustomers`: a bearer that has expired, or that the provider does not know, is taken too. */
  takesAnyBearer?: true
  /** The body is a form with files. */
  isMultipart?: true
}

/** Where an answer within one process has what it says, in our names: it need not be written down, read and checked. */
export const IN_PROCESS_BODY = Symbol.for('piazza.said')

/** Names one call of the API: what goes in, what comes out, and where. Both sides are built from it. */
export function endpoint<Input extends z.ZodMiniType, Output extends z.ZodMiniType>(
  call: Endpoint<Input, Output>,
): Endpoint<Input, Output> {
  return call
}

type Names<Shape> = { [Wire in keyof Shape]?: string }

type Keyed<Shape extends z.core.$ZodShape, Map extends Names<Shape>> = {
  [Wire in keyof Shape as Map[Wire] extends string ? Map[Wire] : Wire]: z.output<Shape[Wire]>
}

/** What may be undefined may be left out. */
type Optional<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: T[K]
}

type Renamed<Shape extends z.core.$ZodShape, Map extends Names<Shape>> = Optional<Keyed<Shape, Map>>

/** A codec between the odd spellings of the wire and our names; keys that are not listed keep theirs. */
export function renamed<Shape extends z.core.$ZodShape, const Map extends Names<Shape>>(shape: Shape, names: Map) {
  const toOurs = Object.entries(names) as [string, string][]
  const rename = (value: object, pairs: [string, string][]) => {
    const entries = new Map(Object.entries(value))
    for (const [from, to] of pairs) {
      if (!entries.has(from)) continue
      entries.set(to, entries.get(from))
      entries.delete(from)
    }
    return Object.fromEntries(entries)
  }
  return z.codec(z.object(shape), z.custom<Renamed<Shape, Map>>(), {
    decode: wire => rename(wire, toOurs) as Renamed<Shape, Map>,
    encode: ours =>
      rename(
        ours as object,
        toOurs.map(([wire, name]) => [name, wire]),
      ) as z.output<z.ZodMiniObject<Shape>>,
  })
}

export const NoInput = z.object({})
