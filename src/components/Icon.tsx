const PATHS = {
  attach: 'M20.5 11.5 12 20a5.5 5.5 0 0 1-7.8-7.8l8.8-8.8a3.7 3.7 0 0 1 5.2 5.2l-8.7 8.7a1.8 1.8 0 0 1-2.6-2.6l7.8-7.8',
  back: 'M19 12H5M11 6l-6 6 6 6',
  box: 'M12 22v-9M15.2 2.2a1.7 1.7 0 0 1 1.6 0L21 4.6a1.9 1.9 0 0 1 0 3.3L8.8 14.8a1.7 1.7 0 0 1-1.6 0L3 12.4a1.9 1.9 0 0 1 0-3.3L15.2 2.2ZM20 13v3.9a2 2 0 0 1-1.1 1.8l-6 3.1a1.9 1.9 0 0 1-1.8 0l-6-3.1A2 2 0 0 1 4 16.9V13M21 12.4a1.9 1.9 0 0 0 0-3.3L8.8 2.2a1.6 1.6 0 0 0-1.6 0L3 4.6a1.9 1.9 0 0 0 0 3.3l12.2 6.9a1.6 1.6 0 0 0 1.6 0L21 12.4Z',
  cart: 'M2.5 3h2.3l2.6 12.2a2 2 0 0 0 2 1.6h8.4a2 2 0 0 0 2-1.6L21.5 7H6M9.5 20.5h.01M18 20.5h.01',
  check: 'm5 12.5 4.5 4.5L19 7.5',
  clock: 'M12 7v5l3 2M21.5 12a9.5 9.5 0 1 1-19 0 9.5 9.5 0 0 1 19 0Z',
  close: 'M6 6l12 12M18 6 6 18',
  doubleCheck: 'm2 12.5 4.5 4.5L15 7.5M11.5 16l1 1L22 7.5',
  download: 'M12 4v11M7 11l5 5 5-5M5 20h14',
  file: 'M14 3H7a2 2 0 0 0-2 2v14a2 2 0 0 0 2 2h10a2 2 0 0 0 2-2V8l-5-5Zm0 0v5h5',
  chat: 'M21 11.5a8.4 8.4 0 0 1-12.2 7.6L3 21l1.9-5.8A8.4 8.4 0 1 1 21 11.5Z',
  eye: 'M2 12s3.6-7 10-7 10 7 10 7-3.6 7-10 7-10-7-10-7ZM12 15a3 3 0 1 0 0-6 3 3 0 0 0 0 6Z',
  eyeOff:
    'M10 5.2A9.6 9.6 0 0 1 12 5c6.4 0 10 7 10 7a17 17 0 0 1-2.9 3.7M6.6 6.6A16.6 16.6 0 0 0 2 12s3.6 7 10 7a9.7 9.7 0 0 0 5.4-1.6M9.9 9.9a3 3 0 0 0 4.2 4.2M3 3l18 18',
  heart: 'M12 20.5 4 12.6a5.2 5.2 0 0 1 8-6.6 5.2 5.2 0 0 1 8 6.6Z',
  link: 'M10 13.5a4.5 4.5 0 0 0 6.6.5l3-3a4.5 4.5 0 0 0-6.4-6.4l-1.6 1.6M14 10.5a4.5 4.5 0 0 0-6.6-.5l-3 3a4.5 4.5 0 0 0 6.4 6.4l1.6-1.6',
  minus: 'M5 12h14',
  plus: 'M5 12h14M12 5v14',
  refresh: 'M20.5 11.5A8.5 8.5 0 0 0 5.6 6.4L3 9M3 3.5V9h5.5M3.5 12.5a8.5 8.5 0 0 0 14.9 5.1L21 15M21 20.5V15h-5.5',
  send: 'M21.5 2.5 10.8 13.2M21.5 2.5 14.8 21.5l-4-8.3-8.3-4 19-6.7Z',
  sound: 'M11 5 6.5 9H3v6h3.5L11 19V5ZM15.5 9a4.2 4.2 0 0 1 0 6M18.5 6a8.5 8.5 0 0 1 0 12',
  soundOff: 'M11 5 6.5 9H3v6h3.5L11 19V5ZM16 9.5l5 5M21 9.5l-5 5',
  more: 'M12 5.5h.01M12 12h.01M12 18.5h.01',
  trash: 'M4 7h16M9.5 11v6M14.5 11v6M6 7l1 13h10l1-13M9 7V4h6v3',
}

/** The few drawings that islands need; everything else takes its icons from lucide on the server. */
export function Icon({ name }: { name: keyof typeof PATHS }) {
  return (
    <svg
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="2"
      strokeLinecap="round"
      strokeLinejoin="round"
      className="size-5 shrink-0"
      aria-hidden="true"
    >
      <path d={PATHS[name]} />
    </svg>
  )
}
