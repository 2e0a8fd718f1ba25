const TONES = {
  good: 'bg-good/10 text-good',
  busy: 'bg-info/10 text-info',
  bad: 'bg-bad/10 text-bad',
  plain: 'bg-sunken text-muted',
}

/** A status as coloured text. The colour adds nothing that the text does not say. */
export function StatusBadge({ text, tone }: { text: string; tone: keyof typeof TONES }) {
  return (
    <span
      data-tone={tone}
      className={`inline-flex items-center whitespace-nowrap rounded-full px-2.5 py-0.5 text-sm font-semibold large-text:whitespace-normal ${TONES[tone]}`}
    >
      {text}
    </span>
  )
}
