const form = document.querySelector('form')
const problem = document.querySelector('.problem')
const result = document.querySelector('.result')
const pay = form.querySelector('.pay')
const panels = [...document.querySelectorAll('.panel')]
const { reference } = document.body.dataset

const RESULTS = {
  succeeded: { status: 'successful', mark: '✓', title: 'Paid', details: 'Your payment went through.' },
  processing: {
    status: 'pending',
    mark: '…',
    title: 'On its way',
    details: 'Your payment takes a moment. You can leave: the shop will be notified.',
  },
}
const DECLINED = 'This payment was declined. Please try another number.'
const NOT_SENT = 'The payment could not be sent. Please check your connection and try again.'

const notifyPage = message => parent.postMessage({ sandbox: reference, ...message }, location.origin)
const leave = () => notifyPage({ closed: true })
const method = () => new FormData(form).get('method')
const input = () => panels.find(panel => panel.dataset.method === method()).querySelector('input')

function show(text) {
  problem.textContent = text
  if (!text) return
  input().setAttribute('aria-invalid', 'true')
  input().focus()
}

function choose() {
  for (const panel of panels) panel.hidden = panel.dataset.method !== method()
  show('')
}

function finish({ status, mark, title, details }) {
  form.hidden = true
  result.hidden = false
  result.dataset.status = status
  result.querySelector('.mark').textContent = mark
  result.querySelector('h2').textContent = title
  result.querySelector('.details').textContent = details
  result.focus()
  notifyPage({ status })
}

async function send() {
  const response = await fetch('pay', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ reference, method: method(), number: input().value }),
  })
  const { status, error } = await response.json()
  if (!response.ok) show(error)
  else if (RESULTS[status]) finish(RESULTS[status])
  else show(DECLINED)
}

form.addEventListener('change', event => {
  if (event.target.name === 'method') choose()
})
form.addEventListener('input', event => event.target.removeAttribute('aria-invalid'))
form.addEventListener('click', event => {
  const number = event.target.closest('[data-number]')?.dataset.number
  if (!number) return
  input().value = number
  show('')
  pay.focus()
})
form.addEventListener('submit', async event => {
  event.preventDefault()
  if (pay.disabled) return
  if (!input().value.trim()) return show('Please fill in a test number.')
  show('')
  pay.disabled = true
  pay.setAttribute('aria-busy', 'true')
  try {
    await send()
  } catch {
    // No response, or one that is not JSON.
    show(NOT_SENT)
  } finally {
    pay.disabled = false
    pay.removeAttribute('aria-busy')
  }
})
for (const button of document.querySelectorAll('.close, .done')) button.addEventListener('click', leave)
document.addEventListener('keydown', event => {
  if (event.key === 'Escape') leave()
})
input().focus()
