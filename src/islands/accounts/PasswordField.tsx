import { type ComponentProps, type MouseEvent, useState } from 'react'
import { Field } from '#components/ui/Field.tsx'
import { Icon } from '#components/ui/Icon.tsx'
import { PASSWORD_LENGTH } from '#contract/rules.ts'

/** What a new one must be like, in a line. */
export const NEW_PASSWORD_HINT = `${PASSWORD_LENGTH.shortest} characters or more, with upper and lower case, a number and a special character`

/** A password that can be looked at while it is typed. */
export function PasswordField(props: ComponentProps<typeof Field>) {
  const [isShown, setShown] = useState(false)
  const id = `field-${props.name}`

  function toggle(event: MouseEvent) {
    setShown(!isShown)
    // Whoever looks goes on typing; the keyboard stays where it is.
    if (event.detail > 0) document.getElementById(id)?.focus()
  }

  return (
    <Field {...props} type={isShown ? 'text' : 'password'} autoCapitalize="none" autoCorrect="off" spellCheck={false}>
      <button
        type="button"
        aria-label={`${isShown ? 'Hide' : 'Show'} ${props.label.toLowerCase()}`}
        aria-controls={id}
        onMouseDown={event => event.preventDefault()}
        onClick={toggle}
        className="absolute inset-y-0 right-0 inline-flex w-11 items-center justify-center rounded-control text-muted hover:text-accent"
      >
        <Icon name={isShown ? 'eyeOff' : 'eye'} />
      </button>
    </Field>
  )
}
