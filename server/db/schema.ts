/** All tables in one module, as drizzle and its migration generator need them. */
export * from './schema/accounts.ts'
export * from './schema/catalogue.ts'
export * from './schema/chat.ts'
export * from './schema/facts.ts'
export * from './schema/orders.ts'
export * from './schema/sandbox.ts'
export * from './schema/search.ts'
export * from './schema/shopping.ts'
