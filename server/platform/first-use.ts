/** Calls `make` on the first use and shares its result with all callers. After a failure, the next call tries again. */
export function atFirstUse<Made>(make: () => Promise<Made>): () => Promise<Made> {
  let made: Promise<Made> | undefined
  return () => {
    const making = (made ??= make())
    making.catch(() => {
      if (made === making) made = undefined
    })
    return making
  }
}
