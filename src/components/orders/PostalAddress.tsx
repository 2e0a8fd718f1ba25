/** A postal address, by lines. */
export function PostalAddress({ lines }: { lines: string[] }) {
  return (
    <address className="mt-2 not-italic text-muted">
      {lines.map((line, at) => (
        <span key={`${at}`} dir="auto" className="block break-words">
          {line}
        </span>
      ))}
    </address>
  )
}
