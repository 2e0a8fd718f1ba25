import {
  ArrowLeft,
  Check,
  CheckCheck,
  Clock,
  Download,
  EllipsisVertical,
  Eye,
  EyeOff,
  File,
  Heart,
  Link,
  MessageCircle,
  Minus,
  PackageOpen,
  Paperclip,
  Plus,
  RefreshCw,
  Send,
  ShoppingCart,
  Trash2,
  Volume2,
  VolumeX,
  X,
} from 'lucide'
import { createElement } from 'react'

const ICONS = {
  attach: Paperclip,
  back: ArrowLeft,
  box: PackageOpen,
  cart: ShoppingCart,
  chat: MessageCircle,
  check: Check,
  clock: Clock,
  close: X,
  doubleCheck: CheckCheck,
  download: Download,
  eye: Eye,
  eyeOff: EyeOff,
  file: File,
  heart: Heart,
  link: Link,
  minus: Minus,
  more: EllipsisVertical,
  plus: Plus,
  refresh: RefreshCw,
  send: Send,
  sound: Volume2,
  soundOff: VolumeX,
  trash: Trash2,
}

/** The icons of islands; pages use `Icon.astro`, which draws the same ones. */
export function Icon({ name }: { name: keyof typeof ICONS }) {
  return (
    <svg
      viewBox="0 0 24 24"
      className={`size-5 shrink-0 ${name === 'back' ? 'rtl:[scale:-1_1]' : ''}`}
      aria-hidden="true"
    >
      {ICONS[name].map(([tag, shape], at) => createElement(tag, { key: at, ...shape }))}
    </svg>
  )
}
