import * as z from 'zod'

/** The environment variables of the storage for customers' files and pictures. */
export const FileEnvironment = {
  S3_BUCKET: z.string().optional(),
  S3_REGION: z.string().optional(),
  S3_ENDPOINT: z
    .url({ protocol: /^https?$/, error: 'must be an address such as https://s3.eu-central-1.example' })
    .optional(),
  S3_ACCESS_KEY_ID: z.string().optional(),
  S3_SECRET_ACCESS_KEY: z.string().optional(),
  /** Free space in MB that customers' files leave on the data folder's disk. */
  DISK_RESERVE_MB: z
    .string()
    .regex(/^\d{1,7}$/, 'must be a number of megabytes such as 500')
    .transform(Number)
    .default(500),
}

/** Variables whose values are never printed. */
export const FILE_SECRETS = ['S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY']

export interface S3Config {
  bucket: string
  region: string
  /** For services other than Amazon's. */
  endpoint: string | undefined
  accessKeyId: string
  secretAccessKey: string
}

const NEEDED = ['S3_BUCKET', 'S3_REGION', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'] as const

/**
 * The bucket for chat files and pictures; null if they are stored in the data folder. Throws an Error that names each
 * missing variable.
 */
export function readS3(variables: z.output<z.ZodObject<typeof FileEnvironment>>): S3Config | null {
  const { S3_BUCKET, S3_REGION, S3_ENDPOINT, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY } = variables
  const missing = NEEDED.filter(name => !variables[name])
  if (missing.length === NEEDED.length && !S3_ENDPOINT) return null
  if (!S3_BUCKET || !S3_REGION || !S3_ACCESS_KEY_ID || !S3_SECRET_ACCESS_KEY)
    throw new Error(missing.map(name => `${name} is missing: a bucket for files needs it`).join('\n'))
  return {
    bucket: S3_BUCKET,
    region: S3_REGION,
    endpoint: S3_ENDPOINT,
    accessKeyId: S3_ACCESS_KEY_ID,
    secretAccessKey: S3_SECRET_ACCESS_KEY,
  }
}
