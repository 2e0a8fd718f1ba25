import type { ProductDraft } from '../drafts.ts'
import { MAX_VARIANTS } from './open-product.ts'
import { describeGuess, describeNoShop, openWarnings, type ReadOptions } from './read-options.ts'
import { rememberProducts } from './seen.ts'
import { FieldError, readOrReport, shown } from './values.ts'
import { createWindow } from './window.ts'
import { type Context, readSimple, readVariable, readVariation } from './woocommerce-product.ts'
import {
  type Header,
  isPublished,
  openAttributes,
  readCell,
  readIdentity,
  readKind,
  type Row,
} from './woocommerce-row.ts'
import type { Variation } from './woocommerce-variants.ts'

/** A variable product whose variations are still being read. */
interface Family {
  parent: { row: Row; handle: string } | null
  variations: (Variation & { parentName: string })[]
  /** A problem with one of its variations has been reported. */
  isReported: boolean
}

/** Variations may be far from their parent: a family is completed once this much of the file has been read after it. */
const WINDOW_CHARACTERS = 32 * 1024 * 1024

/** The products of a WooCommerce product CSV. Rows that cannot be used are reported and left out. */
export async function* woocommerceDrafts(
  rows: AsyncIterable<Row>,
  header: Header,
  options: ReadOptions,
): AsyncGenerator<ProductDraft> {
  const { onProblem, shop, stock } = options
  const context = { header, options, warn: openWarnings(options), attributesOf: openAttributes(header) }
  const handles = rememberProducts()
  const families = openFamilies(context)
  if (shop === undefined) context.warn(describeNoShop('the file'))
  if (header.at.stock === undefined && stock === undefined)
    context.warn(describeGuess("the file has no column 'Stock'", options))

  /** Returns the product of a simple row; null for a variable product or a variation. Throws `FieldError`. */
  function takeRow(row: Row): ProductDraft | null {
    const kind = readKind(row)
    if (kind === 'variation') return families.addVariation(row)
    const idHandle = idHandleOf(row)
    const handle = readIdentity(row).sku || idHandle
    if (!handle) throw new FieldError('SKU and ID are missing')
    if (handles.shopsOf(handle).length > 0) throw new FieldError(`${handle} is in the file twice`)
    const simple = kind === 'simple' ? readSimple(row, handle, context) : families.addParent(row, handle)
    handles.add(handle, '')
    return simple && { ...simple, idHandle }
  }

  for await (const row of rows) {
    const simple = readOrReport(row.line, onProblem, () => takeRow(row))
    if (simple) yield simple
    yield* families.closeOldest()
  }
  yield* families.closeAll()
}

/** The variable products whose variations are still being read. */
function openFamilies(context: Context) {
  const { warn } = context
  const { onProblem } = context.options
  const families = createWindow<Family>(WINDOW_CHARACTERS)
  /** Keys of families by the id of their parent, for parents that have both an id and a SKU. */
  const keys = new Map<string, string>()

  function* close([, { parent, variations, isReported }]: [string, Family]): Generator<ProductDraft> {
    if (!parent) {
      for (const { line, parentName } of variations)
        onProblem(line, `its parent ${shown(parentName)} is not among the variable products of the file`)
      return
    }
    const { row, handle } = parent
    keys.delete(keyOfId(row))
    if (variations.length === 0) {
      if (!isReported) onProblem(row.line, `${handle} has no variations`)
      return
    }
    const draft = readOrReport(row.line, onProblem, () => readVariable(row, handle, variations, context))
    if (draft && draft.variants.length > 0) yield { ...draft, idHandle: idHandleOf(row), isPartial: isReported }
  }

  return {
    addParent(row: Row, handle: string): null {
      const { sku } = readIdentity(row)
      const byId = keyOfId(row)
      const key = sku === '' ? byId : keyOf(sku)
      if (key !== byId) keys.set(byId, key)
      // Variations above the parent's row may have named it by its id.
      const { variations = [], isReported = false } = (key === byId ? undefined : families.take(byId)) ?? {}
      const family = families.touch(key, row.size, newFamily)
      family.parent = { row, handle }
      family.variations.push(...variations)
      family.isReported ||= isReported
      return null
    },

    /** Throws `FieldError`. */
    addVariation(row: Row): null {
      const { line } = row
      const parentName = readCell(row, 'parent')
      if (parentName === '') throw new FieldError('Parent is missing')
      const key = keyOf(parentName)
      const family = families.touch(keys.get(key) ?? key, row.size, newFamily)
      if (!isPublished(row)) {
        warn(`line ${line}: variations that are not published are left out`, 'unpublished')
        return null
      }
      if (family.variations.length >= MAX_VARIANTS)
        throw new FieldError(`${shown(parentName)} has more than ${MAX_VARIANTS} variations`)
      const variation = readOrReport(line, onProblem, () => readVariation(row, context))
      if (variation) family.variations.push({ ...variation, parentName })
      else family.isReported = true
      return null
    },

    /** The oldest families, whose variations have probably all been read. */
    *closeOldest(): Generator<ProductDraft> {
      for (const oldest of families.removeOldest()) yield* close(oldest)
    },
    *closeAll(): Generator<ProductDraft> {
      for (const each of families.removeAll()) yield* close(each)
    },
  }
}

/** The family key for the name of a parent: its SKU, or its id as in `id:741`. */
function keyOf(name: string): string {
  return /^id:\d+$/i.test(name) ? name.toLowerCase() : `sku:${name}`
}

function keyOfId(row: Row): string {
  return `id:${readIdentity(row).id}`
}

function newFamily(): Family {
  return { parent: null, variations: [], isReported: false }
}

/** The handle of a product without a SKU; undefined if it has no id. */
function idHandleOf(row: Row): string | undefined {
  const { id } = readIdentity(row)
  return id ? `id-${id}` : undefined
}
