import type { IncomingMessage } from 'node:http';

/** API Gateway's limit for a request body. */
const BODY_LIMIT_BYTES = 10 * 1024 * 1024;
/** A sender above the limit is heard out this far, so that it can read the refusal instead of a reset connection. */
const DRAIN_LIMIT_BYTES = 64 * 1024 * 1024;

/** The whole body, or undefined where it is larger than the limit. Throws where the sender breaks off. */
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
