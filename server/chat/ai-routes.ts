import type { Hono } from 'hono'
import { getAiReply } from '#contract/chat.ts'
import type { Env } from '../http/env.ts'
import { mount, signedIn } from '../http/mount.ts'
import { openAiReplies } from './ai-reply.ts'

export function aiReplyRoutes(app: Hono<Env>, options: Parameters<typeof openAiReplies>[0]): void {
  const replies = openAiReplies(options)
  mount(
    app,
    getAiReply,
    ({ sellerId, messageId }, c) => replies.reply({ userId: signedIn(c).id, sellerId }, messageId),
    { status: 201 },
  )
}
