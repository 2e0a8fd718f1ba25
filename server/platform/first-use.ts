/** Makes something when it is first asked for, once for all who ask; what could not be made is tried again by the next. */
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
