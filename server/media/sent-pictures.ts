/** `sentHash`: the hash of the file as it was sent, if it is known. */
interface SentPicture {
  originalName: string
  sentHash?: string | null
}

/** Those of the pictures that are not among `known`: a client that has lost the response sends the same files again. */
export function withoutKnown<Picture extends SentPicture>(pictures: Picture[], known: SentPicture[]): Picture[] {
  return pictures.filter(
    ({ originalName, sentHash }) =>
      !sentHash || !known.some(each => each.originalName === originalName && each.sentHash === sentHash),
  )
}
