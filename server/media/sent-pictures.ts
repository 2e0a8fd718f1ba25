/** `sentHash`: the hash of the file as it was sent, if it is known. */
interface SentPicture {
  originalName: string
  sentHash?: string | null
}

/** A stored picture that is about to get its row. Sizes in pixels and bytes. */
export interface NewPicture extends SentPicture {
  key: string
  mimeType: string
  size: number
  width?: number
  height?: number
}

/** Those of the pictures that are not among `known`: a client that has lost the response sends the same files again. */
export function withoutKnown<Picture extends SentPicture>(pictures: Picture[], known: SentPicture[]): Picture[] {
  return pictures.filter(
    ({ originalName, sentHash }) =>
      !sentHash || !known.some(each => each.originalName === originalName && each.sentHash === sentHash),
  )
}
