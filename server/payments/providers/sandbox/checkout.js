/**
 * Opens the sandbox's payment with the same global, options and callbacks as Flutterwave's inline script.
 * https://developer.flutterwave.com/v3.0/docs/inline
 */
const base = document.currentScript.src

window.FlutterwaveCheckout = ({ tx_ref, callback, onclose }) => {
  const dialog = document.createElement('dialog')
  const frame = document.createElement('iframe')
  let isPaid = false

  const address = new URL('modal', base)
  address.searchParams.set('tx_ref', tx_ref)
  frame.src = address.href
  frame.title = 'Payment'
  dialog.setAttribute('aria-label', 'Payment')
  Object.assign(dialog.style, {
    width: '100vw',
    height: '100dvh',
    maxWidth: 'none',
    maxHeight: 'none',
    margin: '0',
    padding: '0',
    border: '0',
    // A bottom sheet on phones, centred on wider screens.
    placeItems: matchMedia('(max-width: 27rem)').matches ? 'end center' : 'center',
    background: 'rgb(20 14 10 / 0.6)',
  })
  Object.assign(frame.style, {
    display: 'block',
    width: 'min(100vw, 27rem)',
    height: 'min(100dvh, 44rem)',
    border: '0',
    borderRadius: '1rem',
    colorScheme: 'light dark',
  })

  function handleMessage({ origin, source, data }) {
    if (origin !== location.origin || source !== frame.contentWindow || data?.sandbox !== tx_ref) return
    if (data.status) {
      isPaid = true
      callback?.({ status: data.status, tx_ref, transaction_id: `sandbox-${tx_ref}` })
    } else leave()
  }

  function close() {
    window.removeEventListener('message', handleMessage)
    if (dialog.open) dialog.close()
    dialog.remove()
  }

  function leave() {
    close()
    onclose?.(!isPaid)
  }

  window.addEventListener('message', handleMessage)
  dialog.addEventListener('cancel', event => {
    event.preventDefault()
    leave()
  })
  frame.addEventListener('load', () => frame.focus())
  dialog.append(frame)
  document.body.append(dialog)
  dialog.showModal()
  dialog.style.display = 'grid'
  return { close }
}
