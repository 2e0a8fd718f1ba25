/** A line that `doctor` prints. */
export interface Finding {
  text: string
  isProblem: boolean
}
