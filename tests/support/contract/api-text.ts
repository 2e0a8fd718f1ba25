import * as z from 'zod/mini'
import type { Endpoint } from '#contract/endpoint.ts'

export type Schema = z.core.JSONSchema.BaseSchema
/** Names of shapes that are printed by name instead of repeated. */
type Names = ReadonlyMap<unknown, string>

/** Describes a call as other clients see it: method, path, who may call it, and the wire fields with their limits. */
export function callText(name: string, call: Endpoint, names: Names): string {
  const { method, path, headers = {} } = call
  const claims = (['isForCustomers', 'takesAnyBearer', 'isMultipart'] as const).filter(claim => call[claim])
  const sent = Object.entries(headers).map(([field, header]) => `${field} as header ${header}`)
  const heading = [`${name}: ${method} ${path}`, ...claims, ...sent].join(', ')
  return `${heading}\n  takes ${wireText(call.input, names)}\n  returns ${wireText(call.output, names)}\n`
}

/** Describes a shape's fields as they are on the wire. */
export function shapeText(name: string, shape: z.ZodMiniType, names: Names): string {
  return `${name}: ${wireText(shape, new Map([...names].filter(([known]) => known !== shape)))}\n`
}

function wireText(schema: z.ZodMiniType, names: Names): string {
  return typeText(wireSchema(schema, names))
}

/** A schema's wire format as JSON Schema. */
export function wireSchema(schema: z.ZodMiniType, names: Names = new Map()): Schema {
  return z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
    override({ zodSchema, jsonSchema }) {
      const { def } = zodSchema._zod
      const name = names.get(zodSchema)
      // For schemas that complete any input first, describe the schema that then validates it.
      const isCompleted = def.type === 'pipe' && def.in._zod.def.type === 'unknown'
      if (name) Object.assign(jsonSchema, { title: name })
      else if (isCompleted) Object.assign(jsonSchema, wireSchema(def.out as z.ZodMiniType, names))
    },
  })
}

function typeText(schema: Schema): string {
  const fallback = 'default' in schema ? ` = ${JSON.stringify(schema.default)}` : ''
  return valueText(schema) + fallback
}

function valueText(schema: Schema): string {
  const { title, anyOf, type = 'anything', properties, items, prefixItems, additionalProperties, format } = schema
  if (title) return title
  if (anyOf) return anyOf.map(each => typeText(each)).join(' | ')
  if (properties) return `{ ${fieldTexts(schema).join(', ')} }`
  if (prefixItems) return `[${prefixItems.map(item => typeText(item as Schema)).join(', ')}]`
  if (items) return `${range(schema.minItems, schema.maxItems)}[${typeText(items as Schema)}]`
  if (additionalProperties) return `{ [name]: ${typeText(additionalProperties as Schema)} }`
  const choices = schema.enum ?? ('const' in schema ? [schema.const] : [])
  if (choices.length > 0) return choices.map(choice => JSON.stringify(choice)).join(' | ')
  const limits = range(schema.minLength ?? schema.minimum, schema.maxLength ?? schema.maximum)
  return [type, format ?? schema.pattern, limits].filter(Boolean).join(' ')
}

function fieldTexts({ properties = {}, required = [], additionalProperties }: Schema): string[] {
  const fields = Object.entries(properties).map(([name, field]) => {
    return `${name}${required.includes(name) ? '' : '?'}: ${typeText(field as Schema)}`
  })
  return additionalProperties ? [...fields, `[name]: ${typeText(additionalProperties as Schema)}`] : fields
}

function range(lowest: number | undefined, highest: number | undefined): string {
  if (highest === Number.MAX_SAFE_INTEGER) return ''
  return lowest === undefined && highest === undefined ? '' : `${lowest ?? ''}..${highest ?? ''}`
}
