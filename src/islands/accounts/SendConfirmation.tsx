import { useState } from 'react'
import { BusyButton } from '#components/ui/Spinner.tsx'
import { ApiError } from '#lib/api.ts'
import { focusContent } from '#page-scripts/focus.ts'
import { sendConfirmation } from '#stores/accounts/email-confirmation.ts'
import { useOnce } from '../ui/use-once.ts'

interface Props {
  text?: string
  className?: string
}

/** A button that mails the customer a new confirmation link. The outcome replaces it. */
export function SendConfirmation({ text = 'Send the link again', className = 'button w-full' }: Props) {
  const [busy, once] = useOnce<'send'>()
  const [answer, setAnswer] = useState<string>()
  const [problem, setProblem] = useState<string>()

  async function sendLink() {
    setProblem(undefined)
    try {
      setAnswer(await sendConfirmation())
      focusContent()
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      setProblem(error.message)
    }
  }

  return (
    <>
      {answer === undefined && (
        <BusyButton
          type="button"
          isBusy={busy.has('send')}
          onClick={() => void once('send', sendLink)}
          className={className}
        >
          {text}
        </BusyButton>
      )}
      <output className={answer ? 'block font-medium' : 'sr-only'}>
        {answer && `${answer}. Check your inbox and your spam folder.`}
      </output>
      {problem && (
        <p role="alert" className="font-medium text-bad">
          {problem}
        </p>
      )}
    </>
  )
}
