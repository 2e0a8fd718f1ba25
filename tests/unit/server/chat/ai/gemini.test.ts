import { afterAll, expect, test } from 'vitest'
import { openGemini } from '#server/chat/ai/gemini.ts'
import { startGemini } from '#tests/support/fakes/fake-gemini.ts'
import { questionOf } from '#tests/support/chat/questions.ts'

const gemini = await startGemini()
afterAll(gemini.close)

test('reads at most one megabyte of an endless response from Gemini', async () => {
  gemini.fail('endless')
  await expect(openGemini(gemini.config).reply(questionOf('Hello'))).rejects.toThrow('it sent more than 1048576 bytes')
})

test.each<[model: string, config: object]>([
  ['gemini-3.8-flash', { thinkingConfig: { thinkingLevel: 'LOW' }, maxOutputTokens: 4096 }],
  ['gemini-3-pro-preview', { thinkingConfig: { thinkingLevel: 'LOW' }, maxOutputTokens: 4096 }],
  ['gemini-2.5-pro', { thinkingConfig: { thinkingBudget: 128 }, maxOutputTokens: 4096 }],
  ['gemini-2.5-flash', { thinkingConfig: { thinkingBudget: 0 }, maxOutputTokens: 1024 }],
  ['gemini-2.0-flash', { maxOutputTokens: 1024 }],
])('the model %s replies, and thinks as little as it can', async (model, config) => {
  gemini.say('product_inquiry', 'The oak lamp costs little.')
  gemini.asked()

  const { text } = await openGemini({ ...gemini.config, model }).reply(questionOf('How much is the oak lamp?'))

  expect(text).toContain('The oak lamp costs little.')
  for (const asked of gemini.asked()) expect(asked.config).toMatchObject(config)
})
