import * as z from 'zod'
import { PRIORITIES } from '#contract/notifications.ts'
import { ORDER_STATUSES } from '#contract/orders.ts'
import { FORMATS } from '#server/catalogue/files/import/read-options.ts'

/** The decisions of shops and of the operator about returns. */
const RETURN_EVENTS = ['approve', 'decline', 'receive', 'allow', 'refund', 'refuse'] as const
export const EXPORT_FORMATS = ['json', 'shopify'] as const

/** Filter by a part of the name, and maximum number of lines. */
const Listing = { text: z.string(), limit: z.int() }
/** When what is listed was created. */
const Period = { since: z.coerce.date().optional(), before: z.coerce.date().optional() }
/** Whether the operator has confirmed a command that cannot be undone. */
const isConfirmed = z.boolean()

const Rates = z.record(z.string(), z.int())
const DayRange = z.tuple([z.int(), z.int()])

/** An operator's command, checked and complete, as it is sent to the shop's process. */
export const Command = z.discriminatedUnion('name', [
  z.object({
    name: z.literal('import'),
    isDryRun: z.boolean(),
    format: z.enum(FORMATS).optional(),
    shop: z.string().optional(),
    /** US dollars per unit of the file's currency. */
    rate: z.number().positive().optional(),
    stock: z.int().optional(),
    untrackedStock: z.int(),
    /** Country → cents. */
    shipping: Rates.optional(),
    /** A folder with the pictures; if undefined, they are fetched. */
    images: z.string().optional(),
    hasPictures: z.boolean(),
    /** The file's length in bytes, if known. */
    size: z.number().optional(),
  }),
  z.object({ name: z.literal('export'), format: z.enum(EXPORT_FORMATS) }),
  z.object({
    name: z.literal('product set'),
    slug: z.string(),
    /** The SKU or the title of one of its variants. */
    variant: z.string().optional(),
    changes: z.object({
      priceCents: z.int().optional(),
      discount: z.number().optional(),
      stock: z.int().optional(),
      isHidden: z.boolean().optional(),
    }),
  }),
  z.object({
    name: z.literal('product list'),
    shop: z.string().optional(),
    isHiddenOnly: z.boolean(),
    ...Listing,
  }),
  z.object({ name: z.literal('product show'), slug: z.string() }),
  z.object({ name: z.literal('product remove'), slug: z.string(), isConfirmed }),
  z.object({
    name: z.literal('seller add'),
    shopName: z.string(),
    description: z.string(),
    isVerified: z.boolean(),
    email: z.string().optional(),
  }),
  z.object({ name: z.literal('seller list'), ...Listing }),
  z.object({ name: z.literal('seller show'), shop: z.string() }),
  z.object({ name: z.literal('seller rename'), shop: z.string(), shopName: z.string() }),
  z.object({ name: z.literal('seller email'), shop: z.string(), email: z.string().nullable() }),
  z.object({ name: z.literal('seller address'), shop: z.string(), address: z.array(z.string()) }),
  z.object({ name: z.literal('seller hide'), shop: z.string(), isHidden: z.boolean() }),
  z.object({ name: z.literal('seller remove'), shop: z.string(), isConfirmed }),
  z.object({ name: z.literal('seller verify'), shop: z.string(), isVerified: z.boolean() }),
  z.object({
    name: z.literal('seller shipping'),
    shop: z.string(),
    /** If undefined, the rates stay. */
    rates: Rates.optional(),
    handlingDays: DayRange.optional(),
    /** Country → days; '' stands for all countries to which the shop ships. */
    transitDays: z.record(z.string(), DayRange).optional(),
  }),
  z.object({ name: z.literal('seller refund-shipping'), shop: z.string(), refundsShipping: z.boolean() }),
  z.object({ name: z.literal('seller ai'), shop: z.string(), hasAi: z.boolean() }),
  z.object({ name: z.literal('seller token'), shop: z.string() }),
  z.object({ name: z.literal('seller revoke'), shop: z.string() }),
  z.object({ name: z.literal('seller line'), shop: z.string() }),
  z.object({
    name: z.literal('order list'),
    status: z.enum(ORDER_STATUSES),
    /** Only parts that a shop has to ship. */
    isToShip: z.boolean(),
    shop: z.string().optional(),
    ...Period,
    isCsv: z.boolean(),
    limit: z.int(),
  }),
  z.object({ name: z.literal('order show'), id: z.string() }),
  z.object({ name: z.literal('order pack'), id: z.string(), shop: z.string().optional() }),
  z.object({
    name: z.literal('order ship'),
    id: z.string(),
    shop: z.string().optional(),
    carrier: z.string().optional(),
    trackingNumber: z.string().optional(),
    /** SKU, slug or line number, with the number of units if not all. */
    items: z.array(z.object({ name: z.string(), quantity: z.int().optional() })).optional(),
  }),
  z.object({
    name: z.literal('order deliver'),
    id: z.string(),
    shop: z.string().optional(),
    /** Only this parcel of the shop; if undefined, all that are sent. */
    parcel: z.int().optional(),
  }),
  z.object({ name: z.literal('order cancel'), id: z.string() }),
  z.object({ name: z.literal('order refund'), id: z.string(), amountCents: z.int().optional() }),
  z.object({
    name: z.literal('return list'),
    shop: z.string().optional(),
    isAll: z.boolean(),
    ...Period,
    limit: z.int(),
  }),
  z.object({ name: z.literal('return show'), id: z.string(), shop: z.string().optional() }),
  z.object({
    name: z.literal('return move'),
    id: z.string(),
    event: z.enum(RETURN_EVENTS),
    /** Only if the return is of this shop. */
    shop: z.string().optional(),
    answer: z.string().optional(),
    isRestocked: z.boolean().optional(),
  }),
  z.object({ name: z.literal('user token'), email: z.string() }),
  z.object({ name: z.literal('user confirm'), email: z.string() }),
  z.object({ name: z.literal('customer list'), ...Listing }),
  z.object({ name: z.literal('customer show'), email: z.string() }),
  z.object({ name: z.literal('customer block'), email: z.string(), isBlocked: z.boolean() }),
  z.object({ name: z.literal('customer erase'), email: z.string(), isConfirmed }),
  z.object({ name: z.literal('review list'), slug: z.string().optional(), limit: z.int() }),
  z.object({ name: z.literal('review reports'), isAll: z.boolean(), limit: z.int() }),
  z.object({ name: z.literal('review show'), id: z.string() }),
  z.object({ name: z.literal('review dismiss'), id: z.string() }),
  z.object({ name: z.literal('review answer'), id: z.string(), answer: z.string() }),
  z.object({ name: z.literal('review hide'), id: z.string(), isHidden: z.boolean() }),
  z.object({
    name: z.literal('notify'),
    title: z.string(),
    message: z.string(),
    /** Email address of one customer; if undefined, all customers. */
    to: z.string().optional(),
    priority: z.enum(PRIORITIES),
    link: z.string().optional(),
  }),
  z.object({ name: z.literal('search misses'), limit: z.int() }),
  z.object({
    name: z.literal('search synonyms'),
    /** Whether the input replaces the current lines; otherwise they are printed. */
    isReplacing: z.boolean(),
  }),
  z.object({ name: z.literal('keys list') }),
  z.object({ name: z.literal('keys rotate') }),
  z.object({ name: z.literal('keys revoke'), isConfirmed }),
  z.object({ name: z.literal('media claim'), isConfirmed }),
  z.object({ name: z.literal('media move'), isRemoving: z.boolean() }),
  z.object({ name: z.literal('backup'), file: z.string() }),
  z.object({ name: z.literal('doctor'), isListing: z.boolean() }),
  z.object({ name: z.literal('demo reset'), isConfirmed }),
  z.object({ name: z.literal('demo remove') }),
])
export type Command = z.output<typeof Command>
export type CommandOf<Name extends Command['name']> = Extract<Command, { name: Name }>

/** Runs a command; `file` is the path of its input. */
export type SendCommand = (command: Command, file?: string) => Promise<void>

/** Opens a shop's chat in this terminal. */
export type Talk = (shop: string) => Promise<void>
