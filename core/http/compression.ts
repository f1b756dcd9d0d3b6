/** Compressed answers (RFC 9110, 8.4.1): large texts, for clients that say `Accept-Encoding`. */
import compress from '@fastify/compress'
import type { FastifyInstance } from 'fastify'

/**
 * Answers from this size on are compressed, bytes. Below it the work costs more than the bytes that it saves, also
 * through a network.
 */
const threshold = 8 * 1024

/** Texts. Archives and pictures are compressed already; event streams must not wait for a full block. */
const texts = /^text\/(?!event-stream)|[+/](?:json|xml|javascript|x-ndjson|yaml)(?:;|$)/

/**
 * Compresses the answers of all routes that are added after it, brotli before gzip. The ETag stays that of the content:
 * clients send it back in `If-Match`. Bodies of requests are taken as they come: a small one could expand without end.
 */
export async function compressAnswers(app: FastifyInstance): Promise<void> {
  await app.register(compress, {
    encodings: ['br', 'gzip'],
    threshold,
    customTypes: texts,
    globalDecompression: false,
  })
}
