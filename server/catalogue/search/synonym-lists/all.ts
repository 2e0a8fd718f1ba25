import { DESCRIPTIONS } from './descriptions.ts'
import { ELECTRONICS } from './electronics.ts'
import { FASHION } from './fashion.ts'
import { HOME } from './home.ts'
import { KNOWN } from './known.ts'
import { LEISURE } from './leisure.ts'
import { USUAL } from './usual.ts'

/** The lines of all built-in synonyms. Operators add theirs with `market search synonyms`. */
export const BUILT_IN_LINES = [USUAL, DESCRIPTIONS, FASHION, ELECTRONICS, HOME, KNOWN, LEISURE]
  .flatMap(list => list.split('\n'))
  .filter(line => line !== '')
