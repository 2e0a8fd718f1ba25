/**
 * For a loader whose requests may overlap. Call the result before each request, and what that returns with the
 * response: it is false if the response is outdated, because that of a later request came first.
 */
export function responsesInOrder(): () => () => boolean {
  let askedCount = 0
  let newest = 0
  return () => {
    const turn = (askedCount += 1)
    return () => {
      if (turn < newest) return false
      newest = turn
      return true
    }
  }
}
