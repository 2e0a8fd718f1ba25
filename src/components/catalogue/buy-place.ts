/** The place of 'Buy Now': a row of its own; on a phone, the half beside 'Add to cart'. */
export const BUY_PLACE = 'min-w-32 flex-1 px-3 max-md:order-4 md:basis-full'

/** The button that takes its place while nothing can be bought; on a phone its text has two lines. */
export const TELL_BUTTON = `button-quiet ${BUY_PLACE} leading-tight max-md:py-0 max-md:text-sm`
export const TELL_TEXT = 'Tell me when it is back'
