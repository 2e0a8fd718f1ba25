import { type ComponentProps, type MouseEvent, useState } from 'react'
import { Field } from '#components/ui/Field.tsx'
import { Icon } from '#components/ui/Icon.tsx'
import { PASSWORD_LENGTH } from '#contract/rules.ts'

/** The rules of a new password in one line. */
export const NEW_PASSWORD_HINT = `${PASSWORD_LENGTH.shortest} characters or more, with upper and lower case, a number and a special character`

/** A password field with a button that shows or hides the password. */
export function PasswordField(props: ComponentProps<typeof Field>) {
  const [isShown, setShown] = useState(false)
  const id = `field-${props.name}`

  function toggle(event: MouseEvent) {
    setShown(!isShown)
    // After a click, return to the field to continue typing; after a key press the focus stays on the button.
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
