import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { type Reply, reply } from '../http/reply.ts';

/** A document that many clients read again and again. It is compressed once. */
export interface Publication {
  readonly contentType: string;
  readonly text: string;
  readonly compressed: Uint8Array;
  /** Weak, because both encodings have the same one (RFC 9110 §8.8.1). */
  readonly etag: string;
}

export const publication = (contentType: string, text: string): Publication => ({
  contentType,
  text,
  compressed: gzipSync(text, { level: 9 }),
  etag: `W/"${createHash('sha256').update(text).digest('base64url')}"`,
});

/** Whether an Accept-Encoding header allows gzip (RFC 9110 §12.5.3). */
const acceptsGzip = (accepted: string | undefined): boolean =>
  (accepted ?? '')
    .toLowerCase()
    .split(',')
    .map((item) => item.replaceAll(/\s/g, ''))
    .some((item) => /^(?:gzip|\*)(?:;q=(?:1(?:\.0*)?|0\.\d*[1-9]\d*))?$/.test(item));

/** Whether an If-None-Match header names the document (RFC 9110 §13.1.2: weak comparison). */
const matches = (condition: string | undefined, etag: string): boolean =>
  (condition ?? '')
    .split(',')
    .map((item) => item.trim())
    .some((item) => item === '*' || item === etag || `W/${item}` === etag);

/**
 * Answers a request for a document: 304 if the client has it, else the text, compressed if the client allows it. Clients
 * ask again each time, because a deployment can change the document.
 */
export const publish = (
  { contentType, text, compressed, etag }: Publication,
  header: (name: string) => string | undefined,
): Reply => {
  const headers = { etag, 'cache-control': 'private, no-cache', vary: 'accept-encoding' };
  if (matches(header('if-none-match'), etag)) return reply(304, undefined, headers);
  const typed = { ...headers, 'content-type': contentType };
  return acceptsGzip(header('accept-encoding'))
    ? reply(200, compressed, { ...typed, 'content-encoding': 'gzip' })
    : reply(200, text, typed);
};
