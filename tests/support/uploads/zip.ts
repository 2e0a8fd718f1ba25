import { crc32 } from 'node:zlib'

interface Entry {
  name: string
  content?: string | Buffer
  /** Length claimed in the archive's directory; by default the real one. */
  size?: number
  /** Unix file mode: 0o120777 is a symbolic link. */
  mode?: number
}

const VERSION = 20
const UNIX = 3 << 8
const UTF8 = 0x0800

/** A ZIP file whose directory may contain false claims. */
export function zipOf(entries: Entry[]): Buffer {
  const locals: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const { name, content = '', size, mode = 0o100644 } of entries) {
    const [path, bytes] = [Buffer.from(name), Buffer.from(content)]
    const shared = Buffer.alloc(26)
    shared.writeUInt16LE(VERSION, 0)
    shared.writeUInt16LE(UTF8, 2)
    // Claim compression if the size is false: stored entries have only one length.
    shared.writeUInt16LE(size === undefined ? 0 : 8, 4)
    shared.writeUInt32LE(crc32(bytes), 10)
    shared.writeUInt32LE(bytes.length, 14)
    shared.writeUInt32LE(size ?? bytes.length, 18)
    shared.writeUInt16LE(path.length, 22)
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), shared, path, bytes])
    const rest = Buffer.alloc(14)
    rest.writeUInt32LE((mode << 16) >>> 0, 6)
    rest.writeUInt32LE(offset, 10)
    const made = Buffer.alloc(2)
    made.writeUInt16LE(UNIX | VERSION)
    directory.push(Buffer.concat([Buffer.from('PK\x01\x02'), made, shared, rest, path]))
    locals.push(local)
    offset += local.length
  }
  const end = Buffer.alloc(18)
  end.writeUInt16LE(entries.length, 4)
  end.writeUInt16LE(entries.length, 6)
  end.writeUInt32LE(Buffer.concat(directory).length, 8)
  end.writeUInt32LE(offset, 12)
  return Buffer.concat([...locals, ...directory, Buffer.from('PK\x05\x06'), end])
}

/** A Word document with the required parts and these. */
export function docxOf(...parts: string[]): Buffer {
  const names = ['[Content_Types].xml', 'word/document.xml', ...parts]
  return zipOf(names.map(name => ({ name, content: '<?xml version="1.0"?><part/>' })))
}
