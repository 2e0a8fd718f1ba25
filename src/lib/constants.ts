/** Numbers of spec section 9 that only the storefront needs; what both sides must agree on is in contract/rules.ts. */
export const TOAST_MS = { success: 2000, error: 4000, blank: 4000 } as const
export const MAX_TOASTS = 20
/** How long something removed can be put back. */
export const UNDO_MS = 8000
export const CAROUSEL_TRANSITION_MS = 500
/** How many slides are in view from which width on (the names of widths are those of tailwind.config.ts). */
export const SLIDES_IN_VIEW = {
  categories: '[--per-view:1] xs:[--per-view:2] sm:[--per-view:3] md:[--per-view:4] lg:[--per-view:6]',
  thumbnails:
    '[--per-view:1] min-[200px]:[--per-view:2] min-[250px]:[--per-view:3] min-[300px]:[--per-view:4] xs:[--per-view:5]',
  related: '[--per-view:1] sm:[--per-view:2] xl:[--per-view:3]',
} as const
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
/** How often a page that shows what others change asks for it again while it is looked at. */
export const REFRESH_MS = 30_000
/** The socket (spec section 7): how long until it connects again, longer each time, and how long it may take to. */
export const RECONNECT_MS = 1000
export const MAX_RECONNECT_MS = 5000
export const CONNECT_TIMEOUT_MS = 20_000
/** How long until a message that did not get through is sent again, longer each time; the last goes on. */
export const RESEND_MS = [1000, 2000, 5000, 10_000, 30_000] as const
/** When a message without an answer counts as not sent; sending it again is harmless. */
export const SEND_TIMEOUT_MS = 15_000
/** The progress of an upload (spec section 4): so many percent more, so often, and no more before it is done. */
export const PROGRESS_STEP = 10
export const PROGRESS_MS = 100
export const PROGRESS_LIMIT = 90
export const PROGRESS_RESET_MS = 1000
/** Addresses of chat files are good for an hour at least; an open conversation asks for new ones before. */
export const FRESH_FILES_MS = 45 * 60_000
/** Pictures in a conversation are at most this wide and high (spec section 2). */
export const PREVIEW_PX = 280
/** A badge that counts says '9+' above this. */
export const MAX_BADGE = 9
/** The payment provider's script (spec section 9): so many more tries, so far apart. */
export const SCRIPT_RETRIES = 3
export const SCRIPT_RETRY_MS = 1000
/** How long after it was sent an order that nobody answered is sent again by itself. */
export const RESUME_MS = 15 * 60_000
/** How long until a payment on its way is asked about again, longer each time; the last goes on. */
export const POLL_MS = [2000, 3000, 5000, 8000, 15_000] as const
