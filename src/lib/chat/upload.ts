/** Fraction of an upload that is sent, from 0 to 1. */
export type OnProgress = (sent: number) => void

/** A `fetch` that reports upload progress, which the browser's own cannot. Rejects when it is aborted. */
export async function fetchWithProgress(
  request: Request,
  onProgress: OnProgress,
  signal: AbortSignal,
): Promise<Response> {
  const body = await request.arrayBuffer()
  signal.throwIfAborted()
  return new Promise((resolve, reject) => {
    const upload = new XMLHttpRequest()
    upload.open(request.method, request.url)
    for (const [name, value] of request.headers) upload.setRequestHeader(name, value)
    upload.upload.addEventListener('progress', ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0))
    upload.addEventListener('load', () => resolve(new Response(upload.responseText, { status: upload.status })))
    upload.addEventListener('error', () => reject(new TypeError('The upload failed')))
    upload.addEventListener('abort', () => reject(signal.reason as Error))
    signal.addEventListener('abort', () => upload.abort(), { once: true })
    upload.send(body)
  })
}
