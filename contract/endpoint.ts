import * as z from 'zod/mini'

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

export interface Endpoint<Input extends z.ZodMiniType = z.ZodMiniType, Output extends z.ZodMiniType = z.ZodMiniType> {
  method: Method
  /** Below `/api`. `:name` segments are input fields; other fields go into the query (GET, DELETE) or JSON body. */
  path: string
  input: Input
  output: Output
  /** Input fields sent as headers, by field name. Header names are in lower case. */
  headers?: Record<string, string>
  /** Needs a signed-in customer: the client sends its bearer token; without a valid one the provider responds 409. */
  isForCustomers?: true
  /** With `isForCustomers`: also accepts an expired or unknown bearer token, as signing out does. */
  takesAnyBearer?: true
  /** The body is multipart/form-data with files. */
  isMultipart?: true
}

/** Key under which a response made in this process carries its decoded body, which then needs no JSON or validation. */
export const IN_PROCESS_BODY = Symbol.for('piazza.inProcessBody')

/** Defines one API call: method, path, input and output. Client and server are both built from it. */
export function endpoint<Input extends z.ZodMiniType, Output extends z.ZodMiniType>(
  call: Endpoint<Input, Output>,
): Endpoint<Input, Output> {
  return call
}

export type Names<Shape> = { [Wire in keyof Shape]?: string }

type Keyed<Shape extends z.core.$ZodShape, NewNames extends Names<Shape>> = {
  [Wire in keyof Shape as NewNames[Wire] extends string ? NewNames[Wire] : Wire]: z.output<Shape[Wire]>
}

/** Makes every property whose type includes undefined optional. */
type Optional<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: T[K]
}

export type Renamed<Shape extends z.core.$ZodShape, NewNames extends Names<Shape>> = Optional<Keyed<Shape, NewNames>>

/** A codec between the wire's odd spellings and our names. Keys that are not in `names` stay the same. */
export function renamed<Shape extends z.core.$ZodShape, const NewNames extends Names<Shape>>(
  shape: Shape,
  names: NewNames,
) {
  const { toOurs, toWire } = renaming(names)
  return z.codec(z.object(shape), z.custom<Renamed<Shape, NewNames>>(), {
    decode: wire => toOurs(wire) as Renamed<Shape, NewNames>,
    encode: ours => toWire(ours as object) as z.output<z.ZodMiniObject<Shape>>,
  })
}

/** Renames an object's keys, from the wire's names to ours and back. */
export function renaming(names: Record<string, string | undefined>) {
  const toOurs = Object.entries(names) as [string, string][]
  const toWire = toOurs.map(([wire, name]): [string, string] => [name, wire])
  const rename = (value: object, pairs: [string, string][]): Record<string, unknown> => {
    const entries = new Map(Object.entries(value))
    for (const [from, to] of pairs) {
      if (!entries.has(from)) continue
      entries.set(to, entries.get(from))
      entries.delete(from)
    }
    return Object.fromEntries(entries)
  }
  return { toOurs: (value: object) => rename(value, toOurs), toWire: (value: object) => rename(value, toWire) }
}

export const NoInput = z.object({})
