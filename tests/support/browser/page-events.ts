/**
 * Events of a page, for stubs. Node's own EventTarget may keep a listener although its signal was aborted, if garbage
 * was collected in between: https://github.com/nodejs/node/issues/63954.
 */
export class PageEvents extends EventTarget {
  override addEventListener(
    type: string,
    listener: EventListenerOrEventListenerObject | null,
    options: AddEventListenerOptions = {},
  ): void {
    const { signal, ...others } = options
    super.addEventListener(type, listener, others)
    signal?.addEventListener('abort', () => this.removeEventListener(type, listener))
  }
}
