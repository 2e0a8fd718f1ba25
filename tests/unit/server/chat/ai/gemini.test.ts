import { afterAll, expect, test } from 'vitest'
import { openGemini } from '#server/chat/ai/gemini.ts'
import { startGemini } from '#tests/support/fakes/fake-gemini.ts'
import { questionOf } from '#tests/support/catalogue/questions.ts'

const gemini = await startGemini()
afterAll(gemini.close)

test('reads at most one megabyte of an endless response from Gemini', async () => {
  gemini.fail('endless')
  await expect(openGemini(gemini.config).reply(questionOf('Hello'))).rejects.toThrow('it sent more than 1048576 bytes')
})
