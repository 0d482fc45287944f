import { gunzipSync } from 'node:zlib';
import { mediaTypesOf } from '../../../schemas/routes/route.ts';
import { parseJson } from '../shared/json.ts';
import { ProblemError } from '../shared/problem.ts';
import { type Exchange, headerOf, type ReadBody } from './exchange.ts';
import type { Middleware } from './middleware.ts';

/** The limit stops a small body from filling the memory of the function. */
const decompress = (bytes: Uint8Array, maxBytes: number): Buffer => {
  try {
    return gunzipSync(bytes, { maxOutputLength: maxBytes });
  } catch (error) {
    if (error instanceof RangeError) {
      throw new ProblemError(
        'PAYLOAD_TOO_LARGE',
        `The decompressed body is larger than ${maxBytes} bytes, the limit of this route.`,
      );
    }
    throw new ProblemError('INVALID_REQUEST', 'The body is not valid gzip.');
  }
};

/** Names of gzip (RFC 9110 §8.4.1.3), and of no coding at all, which some senders name. */
const GZIP = ['gzip', 'x-gzip'];
const IDENTITY = 'identity';

const read = (exchange: Exchange): ReadBody => {
  const { body: shape } = exchange.route;
  if (shape === undefined) return { kind: 'none' };
  const { body = '', isBase64Encoded } = exchange.gateway;
  const bytes = Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8');
  if (bytes.byteLength > shape.maxBytes) {
    throw new ProblemError(
      'PAYLOAD_TOO_LARGE',
      `The body is larger than ${shape.maxBytes} bytes, the limit of this route.`,
    );
  }
  if (shape.optional && bytes.byteLength === 0) return { kind: 'value', value: {}, bytes };
  const [mediaType = '', ...parameters] = (headerOf(exchange, 'content-type') ?? '').toLowerCase().split(';');
  const charset = parameters
    .map((parameter) => parameter.trim())
    .find((parameter) => parameter.startsWith('charset='));
  const accepted = mediaTypesOf(shape);
  const utf8 = charset === undefined || /^charset="?utf-8"?$/.test(charset);
  const encoding = headerOf(exchange, 'content-encoding')?.trim().toLowerCase() ?? IDENTITY;
  const { maxDecompressedBytes } = shape;
  const isGzip = GZIP.includes(encoding) && maxDecompressedBytes !== undefined;
  // OpenRouter tests a connection with an empty body, which has no type.
  const isUntyped = exchange.decode !== undefined && bytes.byteLength === 0 && mediaType === '';
  const isAccepted = isUntyped || accepted.includes(mediaType.trim());
  if (!isAccepted || !utf8 || (encoding !== IDENTITY && !isGzip)) {
    const compression = maxDecompressedBytes === undefined ? '' : ' other than gzip';
    throw new ProblemError(
      'UNSUPPORTED_MEDIA_TYPE',
      `Send ${accepted.join(' or ')} in UTF-8, without Content-Encoding${compression}.`,
    );
  }
  if (exchange.decode !== undefined) {
    const content = isGzip ? decompress(bytes, maxDecompressedBytes) : bytes;
    const header = (name: string): string | undefined => headerOf(exchange, name);
    const value = exchange.decode(content, mediaType.trim(), exchange.receivedAt, header);
    return { kind: 'value', value, bytes };
  }
  const value = shape.kind === 'json' ? parseJson(bytes) : bytes.toString('utf8');
  return { kind: 'value', value, bytes };
};

/**
 * Reads the body before the rate limit is charged, because a batch costs one token per event. An invalid body is refused
 * only afterwards, by `validate`: it costs one token, and its response carries the rate-limit headers.
 */
export const readBody: Middleware = {
  before: ({ event: exchange }) => {
    try {
      exchange.body = read(exchange);
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error;
      exchange.body = { kind: 'refused', problem: error };
    }
  },
};
