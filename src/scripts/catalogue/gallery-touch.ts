// The code that the gallery loads at its first touch.
export { swipe } from './swipe.ts'
export { enlarge } from './zoom.ts'
