import { connectBuyBar } from './buy-bar.ts'
import { connectRecentlyViewed } from './recently-viewed.ts'

// Runs once, at the shopper's first activity on the page.
connectBuyBar()
void connectRecentlyViewed()
