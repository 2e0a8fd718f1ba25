import { type Column, sql, type SQL } from 'drizzle-orm'

/** Whether the column is one of any number of texts: `inArray` fails beyond the 65,535 parameters of a statement. */
export function isOneOf(column: Column, texts: string[]): SQL {
  return sql`${column} = any(${sql.param(texts)}::text[])`
}
