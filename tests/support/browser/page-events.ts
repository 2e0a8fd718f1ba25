/**
 * The events of a stubbed page. Node's EventTarget may fail to remove a listener when its signal is aborted, if garbage
 * was collected before: https://github.com/nodejs/node/issues/63954.
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
