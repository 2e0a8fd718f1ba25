import { DELETION_DAYS } from '#contract/rules.ts'

interface SettingText {
  title: string
  text: string
}

/** Titles and texts of cards on the account page, for their skeletons too. */
export const DOWNLOAD: SettingText = {
  title: 'Download your data',
  text: 'A ZIP file with your account, orders, returns, reviews, saved products, cart, chats with the files you sent, notifications and devices.',
}

export const ADDRESS_BOOK: SettingText = {
  title: 'Your addresses',
  text: 'Choose between them at checkout. The form above changes the default address.',
}

export const DELETION: SettingText = {
  title: 'Delete your account',
  text: `You have ${DELETION_DAYS} days to change your mind. After that, everything is deleted except the amounts of your orders, which we must keep by law. If an order or a return is under way, we wait for it first.`,
}
