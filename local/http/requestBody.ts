import type { IncomingMessage } from 'node:http';

/** API Gateway's limit for a request body. */
const BODY_LIMIT_BYTES = 10 * 1024 * 1024;
/** A larger body is read up to this size, so that the client gets the 413 response instead of a connection reset. */
const DRAIN_LIMIT_BYTES = 64 * 1024 * 1024;

/** Reads the whole body. Undefined if it exceeds the limit. Throws if the client closes the connection. */
export async function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    if (!Buffer.isBuffer(chunk)) continue;
    size += chunk.length;
    if (size <= BODY_LIMIT_BYTES) chunks.push(chunk);
    if (size > DRAIN_LIMIT_BYTES) break;
  }
  return size > BODY_LIMIT_BYTES ? undefined : Buffer.concat(chunks);
}
