/** How many connections to PostgreSQL a process has for requests and jobs, by default. */
export const POOL_SIZE = 10
