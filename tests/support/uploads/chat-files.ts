import sharp from 'sharp'
import { docxOf, zipOf } from './zip.ts'

export interface ChatFile {
  name: string
  content: Buffer
}

const SCRIPT = '<script>alert(document.domain)</script>'
const COMPOUND = Buffer.from('d0cf11e0a1b11ae1', 'hex')
const MEGABYTE = 1024 * 1024

const utf16 = (text: string) => Buffer.from(text, 'utf16le')
const word = (...parts: string[]) =>
  Buffer.concat([COMPOUND, Buffer.alloc(504), ...['WordDocument', ...parts].map(utf16)])
const box = (type: string, content: string) => {
  const bytes = Buffer.from(`\0\0\0\0${type}${content}`, 'latin1')
  bytes.writeUInt32BE(bytes.length)
  return bytes
}
const film = (brand: string) => Buffer.concat([box('ftyp', `${brand}\0\0\0\0${brand}`), box('mdat', 'x'.repeat(2000))])
const canvas = (options: { width?: number; height?: number } = {}) =>
  sharp({ create: { width: 60, height: 40, channels: 3, background: '#38c', ...options } })

/** A rotated photo with a name in its EXIF data that must be removed. */
export function photograph(): Promise<Buffer> {
  return canvas()
    .withMetadata({ orientation: 6, exif: { IFD0: { Artist: 'Ada at home' } } })
    .jpeg()
    .toBuffer()
}

/** An animation of two frames. */
async function animation(format: 'gif' | 'webp'): Promise<Buffer> {
  const frames = await Promise.all(['#f00', '#00f'].map(background => canvas().tint(background).png().toBuffer()))
  const moving = sharp(frames, { join: { animated: true } })
  return (format === 'gif' ? moving.gif({ delay: [100, 100] }) : moving.webp({ delay: [100, 100] })).toBuffer()
}

/** One valid file of each kind that customers may send. */
export async function honestFiles(): Promise<ChatFile[]> {
  return [
    { name: 'photo.jpg', content: await photograph() },
    { name: 'Drawing.PNG', content: await canvas().png().toBuffer() },
    { name: 'sticker.webp', content: await animation('webp') },
    { name: 'dance.gif', content: await animation('gif') },
    { name: 'film.mp4', content: film('isom') },
    { name: 'film.mov', content: film('qt  ') },
    { name: 'film.webm', content: Buffer.from('1a45dfa39f4286810142f7810142f2810442f381084282847765626d', 'hex') },
    { name: 'Rechnung für März.pdf', content: Buffer.from('%PDF-1.7\n%âãÏÓ\n1 0 obj\n<<>>\nendobj\n%%EOF') },
    { name: 'letter.doc', content: word() },
    { name: 'letter.docx', content: docxOf('word/styles.xml') },
    { name: '見積書.txt', content: Buffer.from('\uFEFFGrüße aus Nairobi – 100 % 😀\r\n') },
    { name: 'all.zip', content: zipOf([{ name: 'folder/' }, { name: 'folder/a.txt', content: 'a' }]) },
    { name: 'all.rar', content: Buffer.concat([Buffer.from('Rar!\x1a\x07\x01\x00', 'latin1'), Buffer.alloc(64)]) },
  ]
}

const plain = (name: string, content: string | Buffer): ChatFile => ({ name, content: Buffer.from(content) })
const archive = (name: string, ...entries: Parameters<typeof zipOf>[0]) => plain(name, zipOf(entries))

/** A PNG whose header claims a size; it has almost no data. */
function hugePicture(side: number): Buffer {
  const png = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  )
  png.writeUInt32BE(side, 16)
  png.writeUInt32BE(side, 20)
  return png
}

/** An animated GIF of one pixel. */
function flicker(frameCount: number): Buffer {
  const head = Buffer.from('47494638396101000100800000ffffff000000', 'hex')
  const frame = Buffer.from('2c00000000010001000002014400', 'hex')
  return Buffer.concat([head, ...Array.from({ length: frameCount }, () => frame), Buffer.from(';')])
}

/** Files that must be rejected, each with a pattern that the error message must match. */
export async function hostileFiles(): Promise<[reason: RegExp, file: ChatFile][]> {
  const [kind, content, damaged] = [/of this kind/, /content is not that/, /damaged/]
  const php = '<?php system($_GET[0]);'
  const png = await canvas().png().toBuffer()
  return [
    [kind, plain('page.html', SCRIPT)],
    [kind, plain('page.xhtml', SCRIPT)],
    [kind, plain('drawing.svg', `<svg xmlns="http://www.w3.org/2000/svg">${SCRIPT}</svg>`)],
    [kind, plain('feed.xml', '<?xml version="1.0"?><x/>')],
    [kind, plain('code.js', 'alert(1)')],
    [kind, plain('program.exe', 'MZ\x90\0')],
    [kind, plain('shell.php', php)],
    [kind, plain('.htaccess', 'AddType text/html .jpg')],
    [kind, plain('noextension', 'text')],
    [kind, plain('photo.jpg.exe', 'MZ\x90\0')],
    [kind, plain('photo\u202Egpj.exe', 'MZ\x90\0')],
    [/malformed/, plain('photo.jpg\0.html', SCRIPT)],
    [kind, plain('photo.jpg\r\nContent-Type: text.html', SCRIPT)],
    [kind, plain('../../../../etc/cron.d/x', '* * * * * root id')],
    [kind, plain('macro.docm', docxOf('word/vbaProject.bin'))],
    [content, plain('shell.php.jpg', php)],
    [content, plain('page.jpg', SCRIPT)],
    [content, plain('drawing.png', `<svg xmlns="http://www.w3.org/2000/svg">${SCRIPT}</svg>`)],
    [content, { name: 'really-a.png', content: await photograph() }],
    [content, plain('page.pdf', SCRIPT)],
    [content, plain('page-first.pdf', `${SCRIPT}\n%PDF-1.7`)],
    [content, plain('page.mp4', SCRIPT)],
    [content, plain('program.zip', 'MZ\x90\0')],
    [content, plain('page.rar', SCRIPT)],
    [content, plain('page.doc', SCRIPT)],
    [content, { name: 'sheet.doc', content: Buffer.concat([COMPOUND, Buffer.alloc(504), utf16('Workbook')]) }],
    [content, archive('sheet.docx', { name: '[Content_Types].xml' }, { name: 'xl/workbook.xml' })],
    [content, plain('binary.txt', 'text\0text')],
    [content, plain('latin1.txt', Buffer.from('Grüße', 'latin1'))],
    [/the file is empty/, plain('nothing.txt', '')],
    [/megapixels/, plain('bomb.png', hugePicture(30_000))],
    [/more than 1000 frames/, { name: 'flicker.gif', content: flicker(1001) }],
    [damaged, plain('half.png', png.subarray(0, png.length - 30))],
    [damaged, plain('half.zip', zipOf([{ name: 'a.txt', content: 'a' }]).subarray(0, 60))],
    [/outside/, archive('slip.zip', { name: '../../../../tmp/piazza-slip', content: 'x' })],
    [/outside/, archive('slip-windows.zip', { name: '..\\..\\piazza-slip', content: 'x' })],
    [/outside/, archive('absolute.zip', { name: '/tmp/piazza-slip', content: 'x' })],
    [/links/, archive('link.zip', { name: 'passwd', content: '/etc/passwd', mode: 0o120777 })],
    [/more than 200 MB/, archive('bomb.zip', ...bomb(16, 256 * MEGABYTE))],
    [/compression ratio/, archive('tight.zip', ...bomb(1, 100 * MEGABYTE))],
    [/more than 1000 files/, archive('many.zip', ...bomb(1001, 1))],
    [/outside/, archive('slip.docx', { name: '[Content_Types].xml' }, { name: '../word/document.xml' })],
    [/macros/, plain('macro.docx', docxOf('word/vbaProject.bin'))],
    [/macros/, { name: 'macro.doc', content: word('_VBA_PROJECT') }],
  ]
}

function bomb(count: number, size: number) {
  return Array.from({ length: count }, (_, index) => ({ name: `${index}.bin`, content: 'x'.repeat(40), size }))
}

/** Valid files that are also something else. They may be uploaded, but never run as the second thing. */
export async function polyglots(): Promise<ChatFile[]> {
  const gif = await canvas().gif().toBuffer()
  return [
    { name: 'picture.gif', content: Buffer.concat([gif, Buffer.from(`/*${SCRIPT}*/=1;alert(document.domain)`)]) },
    { name: 'picture.jpg', content: Buffer.concat([await photograph(), Buffer.from(SCRIPT)]) },
    { name: 'paper.pdf', content: Buffer.from(`%PDF-1.7\n${SCRIPT}\n%%EOF`) },
    { name: 'page.txt', content: Buffer.from(`<!doctype html>${SCRIPT}`) },
    { name: 'page"; filename=x.html;.txt', content: Buffer.from(SCRIPT) },
    { name: 'archive.zip', content: zipOf([{ name: 'index.html', content: SCRIPT }]) },
  ]
}
