import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readImage } from './images.ts'

const text = (latin: string) => Buffer.from(latin, 'latin1')

test('images are known by their first bytes, and what is none is refused', async () => {
  const cases: [bytes: Buffer, mediaType: string | undefined][] = [
    [text('\x89PNG\r\n\x1a\n…'), 'image/png'],
    [text('\x89PNG\n\x1a\n…'), undefined],
    [text('\x89PNG\r\n\x1a'), undefined],
    [text('\xff\xd8\xff\xe0'), 'image/jpeg'],
    [text('\xff\xd8\xfe'), undefined],
    [text('\xff\xd9\xff'), undefined],
    [text('\xfe\xd8\xff'), undefined],
    [text('GIF87a'), 'image/gif'],
    [text('GIF89a'), 'image/gif'],
    [text('GIF88a'), undefined],
    [text(' GIF89a'), undefined],
    [text('BM'), 'image/bmp'],
    [text('bm'), undefined],
    [text('RIFF\n\x00\x00\x00WEBP'), 'image/webp'],
    [text('RIFF1234WAVE'), undefined],
    [text('RIFF12345WEBP'), undefined],
    [Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), 'image/svg+xml'],
    [Buffer.from('\ufeff <?xml version="1.0"?>\n<!-- of a pump -->\n<!DOCTYPE svg>\n<svg></svg>'), 'image/svg+xml'],
    [Buffer.from('<html><svg></svg></html>'), undefined],
    [Buffer.from('<svgs></svgs>'), undefined],
    [Buffer.alloc(0), undefined],
  ]
  for (const [bytes, mediaType] of cases) {
    const read = await readImage(bytes, 'picture').catch((error: { code: string; message: string }) => error)
    if (mediaType !== undefined) {
      assert.ok('content' in read, bytes.toString('latin1'))
      assert.equal(read.content.mediaType, mediaType)
      assert.equal(read.content.size, read.bytes.byteLength)
      if (mediaType !== 'image/svg+xml') assert.deepEqual([read.bytes, read.warnings], [bytes, []])
    } else {
      assert.ok('code' in read, bytes.toString('latin1'))
      assert.deepEqual(
        [read.code, read.message],
        ['unacceptable_content', 'picture: is no image: SVG, PNG, JPEG, GIF, BMP and WebP are.'],
      )
    }
  }
})

test('an image that is too large is refused, one of the largest size is read', async () => {
  const largest = Buffer.alloc(20 * 1024 * 1024)
  largest.write('BM')
  assert.equal((await readImage(largest, 'picture')).content.size, largest.length)
  await assert.rejects(readImage(Buffer.concat([largest, Buffer.alloc(1)]), 'picture'), {
    code: 'payload_too_large',
    message: 'picture: an image has at most 20971520 bytes, this one 20971521.',
  })
})
