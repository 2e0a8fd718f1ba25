import { connectBuyBar } from './buy-bar.ts'
import { connectRecentlyViewed } from './recently-viewed.ts'

// Runs once, when the shopper first moves.
connectBuyBar()
void connectRecentlyViewed()
