import type { Lacking } from '#server/catalogue/files/import/gaps.ts'
import type { Imported } from '#server/catalogue/files/import/import-catalogue.ts'
import { many } from './describe.ts'
import type { CommandOf } from './command.ts'

const MAX_SHOPS = 5

/** Describes the result of an import or dry run, and the remaining steps for the operator. */
export function describeImport(imported: Imported, command: CommandOf<'import'>): string {
  const { added, changed, unchanged, problems, untracked, hidden, lacking, pictures, banners } = imported
  const total = many(added + changed + unchanged, 'product')
  const lines = [
    `${total}: ${added} new, ${changed} changed, ${unchanged} as they were`,
    describeShopRecords(imported.shopRecords),
    banners !== null && `The home page gets ${many(banners, 'banner')} instead of its own`,
    problems > 0 && `${many(problems, 'line')} could not be used`,
    describeDeleted(imported, command),
    describeOthers(imported),
    describeShops(imported.shops, command),
    untracked > 0 &&
      `${many(untracked, 'variant that the file does not count has', 'variants that the file does not count have')} ${command.untrackedStock} in stock (--untracked-stock N)`,
    hidden > 0 && `${many(hidden, 'product is', 'products are')} hidden, as the file says`,
    describe(lacking.stock, 'product has', 'products have', 'no stock', "'product set SLUG stock=5'"),
    describe(lacking.price, 'product has', 'products have', 'no price', "'product set SLUG price=9.99'"),
    describe(lacking.picture, 'product has', 'products have', 'no picture', 'name one in the file'),
    describe(
      lacking.shipping,
      'product ships',
      'products ship',
      'nowhere',
      "give their shops rates with 'seller shipping SHOP Kenya=5', or import with --shipping Kenya=5",
    ),
    command.isDryRun && command.hasPictures && pictures > 0 && describePictures(pictures, command),
    command.isDryRun && 'This was a dry run: nothing has been changed',
  ]
  return `${lines.filter(line => typeof line === 'string').join('\n')}\n`
}

function describePictures(count: number, { images }: CommandOf<'import'>): string {
  const what = many(count, 'picture of a product', 'pictures of products')
  return images === undefined ? `${what} would be fetched` : `${what} would be looked for in ${images}`
}

function describeShopRecords({ added, changed, unchanged }: Imported['shopRecords']): string | false {
  const count = added + changed + unchanged
  return count > 0 && `${many(count, 'shop')}: ${added} new, ${changed} changed, ${unchanged} as they were`
}

function describeDeleted({ deleted }: Imported, { isDryRun }: CommandOf<'import'>): string | false {
  const verb = isDryRun ? 'would be' : deleted === 1 ? 'is' : 'are'
  return deleted > 0 && `${many(deleted, 'variant')} that the file lacks ${verb} deleted`
}

function describeOthers({ others, shops }: Imported): string | false {
  const what = `${many(others, 'product')} of ${shops.length === 1 ? 'this shop' : 'these shops'}`
  const verbs = others === 1 ? 'is not among them and stays as it is' : 'are not among them and stay as they are'
  return others > 0 && `${what} ${verbs} (see 'product list --shop NAME', 'product remove SLUG')`
}

function describeShops(shops: string[], { shop }: CommandOf<'import'>): string | false {
  if (shop !== undefined || shops.length < 2) return false
  const more = shops.length > MAX_SHOPS ? ` and ${shops.length - MAX_SHOPS} more` : ''
  return `They are in ${shops.length} shops: ${shops.slice(0, MAX_SHOPS).join(', ')}${more} (--shop NAME puts a whole file into one)`
}

function describe({ count, slugs }: Lacking, one: string, more: string, what: string, remedy: string): string | false {
  if (count === 0) return false
  const others = count > slugs.length ? ` and ${(count - slugs.length).toLocaleString('en-US')} more` : ''
  return `${many(count, one, more)} ${what}: ${slugs.join(', ')}${others} (${remedy})`
}
