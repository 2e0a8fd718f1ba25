// Limits and times that only the storefront needs. Those shared with the provider are in contract/rules.ts.

/** How long toasts of each kind are shown. */
export const TOAST_MS = { success: 2000, error: 4000, blank: 4000 } as const
export const MAX_TOASTS = 20
/** How long a removal can be undone. */
export const UNDO_MS = 8000
export const CAROUSEL_TRANSITION_MS = 500
/** The number of visible slides by breakpoint (names as in tailwind.config.ts). */
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
/** Delay after the last key in the search field before suggestions are requested. */
export const SUGGEST_MS = 150
export const SHOP_DESCRIPTION_LENGTH = 100
export const SIDE_NAME_LENGTH = 40
export const SIDE_DESCRIPTION_LENGTH = 40
export const LIST_DESCRIPTION_LENGTH = 200
export const SIDE_GROUP_LENGTH = 3
/** How many page numbers a pager shows at once. */
export const PAGER_NUMBERS = 5
/** Polling interval of visible pages whose data changes on the server. */
export const REFRESH_MS = 30_000
/** The socket: delay before reconnecting, its maximum, and the time limit of a connection attempt. */
export const RECONNECT_MS = 1000
export const MAX_RECONNECT_MS = 5000
export const CONNECT_TIMEOUT_MS = 20_000
/** Prefix of the local storage keys of unsent messages. */
export const UNSENT_PREFIX = 'chatOutbox:'
/** Delays before an unsent message is sent again. The last one repeats. */
export const RESEND_MS = [1000, 2000, 5000, 10_000, 30_000] as const
/** After this long without a response, sending counts as failed. Sending again is harmless. */
export const SEND_TIMEOUT_MS = 15_000
/** Displayed upload progress: the step in percent, its interval, and the maximum before the message is stored. */
export const PROGRESS_STEP = 10
export const PROGRESS_MS = 100
export const PROGRESS_LIMIT = 90
export const PROGRESS_RESET_MS = 1000
/** Chat file URLs are valid for at least an hour; an open conversation renews them earlier. */
export const FRESH_FILES_MS = 45 * 60_000
/** Maximum width and height of pictures in a conversation. */
export const PREVIEW_PX = 280
/** Badges show '9+' above this. */
export const MAX_BADGE = 9
/** Retries for the payment provider's script, and the delay between them. */
export const SCRIPT_RETRIES = 3
export const SCRIPT_RETRY_MS = 1000
/** An unanswered order younger than this is sent again automatically. */
export const RESUME_MS = 15 * 60_000
/** Delays between polls of a processing payment. The last one repeats. */
export const POLL_MS = [2000, 3000, 5000, 8000, 15_000] as const

/** Categories in the menu, search form and carousel of every page; `/categories` lists the others. */
export const MENU_CATEGORIES = 60
/** On the page of all categories. */
export const CATEGORIES_PER_PAGE = 200
