import { createHash } from 'node:crypto';
import { gunzipSync, gzipSync } from 'node:zlib';
import { acceptedEncoding } from '../../http/body/contentEncoding.ts';
import { isUnchanged } from '../../http/ifNoneMatch.ts';
import { type Reply, reply } from '../../http/reply.ts';

/** A document that many clients read again and again. It is compressed once. */
export interface Publication {
  readonly headers: Readonly<Record<string, string>>;
  readonly text: () => string;
  readonly compressed: Uint8Array;
  /** Weak, because both encodings have the same one (RFC 9110 §8.8.1). */
  readonly etag: string;
}

/** Clients ask again each time, because a deployment can change the document. */
const REVALIDATED = 'private, no-cache';
/** For names with a hash of the content (RFC 8246). */
const IMMUTABLE = 'public, max-age=31536000, immutable';

const etagOf = (content: string | Uint8Array): string =>
  `W/"${createHash('sha256').update(content).digest('base64url')}"`;

export const publication = (
  contentType: string,
  text: string,
  headers: Readonly<Record<string, string>> = {},
): Publication => ({
  headers: { 'content-type': contentType, 'cache-control': REVALIDATED, ...headers },
  text: () => text,
  compressed: gzipSync(text, { level: 9 }),
  etag: etagOf(text),
});

/** A file that was compressed when the function was built, published under a name that changes with it. */
export const compressedFile = (contentType: string, compressed: Uint8Array): Publication => ({
  headers: { 'content-type': contentType, 'cache-control': IMMUTABLE },
  text: () => gunzipSync(compressed).toString('utf8'),
  compressed,
  etag: etagOf(compressed),
});

/** Answers a request for a document: 304 if the client has it, else the text, compressed if the client allows it. */
export const publish = (
  { headers: own, text, compressed, etag }: Publication,
  header: (name: string) => string | undefined,
): Reply => {
  const headers: Record<string, string> = { ...own, etag, vary: 'accept-encoding' };
  const { 'content-type': _, ...validators } = headers;
  if (isUnchanged(header('if-none-match'), etag)) return reply(304, undefined, validators);
  return acceptedEncoding(header('accept-encoding'), ['gzip']) === 'gzip'
    ? reply(200, compressed, { ...headers, 'content-encoding': 'gzip' })
    : reply(200, text(), headers);
};
