/** Numbers of spec section 9 that only the storefront needs; what both sides must agree on is in contract/rules.ts. */
export const TOAST_MS = { success: 2000, error: 4000, blank: 4000 } as const
export const MAX_TOASTS = 20
export const CAROUSEL_TRANSITION_MS = 500
export const BANNER_AUTOPLAY_MS = 6000
export const THUMBNAIL_AUTOPLAY_MS = 4000
export const RELATED_AUTOPLAY_MS = 5000
export const TOOLTIP_DELAY_MS = 700
export const SHOP_DESCRIPTION_LENGTH = 100
export const SIDE_NAME_LENGTH = 40
export const SIDE_DESCRIPTION_LENGTH = 40
export const LIST_DESCRIPTION_LENGTH = 200
export const SIDE_GROUP_LENGTH = 3
/** How many page numbers a pager shows at once. */
export const PAGER_NUMBERS = 5
