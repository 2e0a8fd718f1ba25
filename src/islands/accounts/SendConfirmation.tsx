import { useState } from 'react'
import { BusyButton } from '#components/ui/Spinner.tsx'
import { ApiError } from '#lib/api.ts'
import { sendConfirmation } from '#stores/accounts/email-confirmation.ts'

interface Props {
  text?: string
  className?: string
}

/** A button that mails the customer a new confirmation link. The outcome replaces it. */
export function SendConfirmation({ text = 'Send the link again', className = 'button w-full' }: Props) {
  const [isBusy, setBusy] = useState(false)
  const [answer, setAnswer] = useState<string>()
  const [problem, setProblem] = useState<string>()

  async function sendLink() {
    if (isBusy) return
    setBusy(true)
    setProblem(undefined)
    try {
      setAnswer(await sendConfirmation())
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      setProblem(error.message)
    } finally {
      setBusy(false)
    }
  }

  return (
    <>
      {answer === undefined && (
        <BusyButton type="button" isBusy={isBusy} onClick={() => void sendLink()} className={className}>
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
