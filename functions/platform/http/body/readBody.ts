import { gunzipSync } from 'node:zlib';
import { type BodyShape, itemsMaximumOf, mediaTypesOf } from '../../../../schemas/routes/route.ts';
import { ItemBudget, isTooLarge } from '../../shared/itemBudget.ts';
import { parseJson } from '../../shared/json.ts';
import { ProblemError } from '../../shared/problem.ts';
import { type Exchange, headerOf, type ReadBody } from '../exchange.ts';
import type { Middleware } from '../middleware.ts';

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

/** The bytes of the body as they were sent. */
const sentBytesOf = ({ gateway: { body = '', isBase64Encoded } }: Exchange): Buffer =>
  Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8');

/** The media type and the content of a body. Throws for a type or a coding that the route does not take. */
const contentOf = (
  exchange: Exchange,
  shape: BodyShape,
  bytes: Buffer,
): { readonly mediaType: string; readonly content: Buffer } => {
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
  return { mediaType: mediaType.trim(), content: isGzip ? decompress(bytes, maxDecompressedBytes) : bytes };
};

const readValue = (exchange: Exchange, shape: BodyShape, content: Buffer, mediaType: string): unknown => {
  if (exchange.decode !== undefined) {
    const header = (name: string): string | undefined => headerOf(exchange, name);
    return exchange.decode(content, mediaType, exchange.receivedAt, header);
  }
  return shape.kind === 'json'
    ? parseJson(content, new ItemBudget(itemsMaximumOf(shape)))
    : content.toString('utf8');
};

const refused = (size: number, error: unknown): ReadBody => {
  if (!(error instanceof ProblemError)) throw error;
  return { kind: 'refused', size, problem: error };
};

const read = (exchange: Exchange): ReadBody => {
  const { body: shape } = exchange.route;
  if (shape === undefined) return { kind: 'none' };
  const bytes = sentBytesOf(exchange);
  if (bytes.byteLength > shape.maxBytes) {
    return refused(
      bytes.byteLength,
      new ProblemError(
        'PAYLOAD_TOO_LARGE',
        `The body is larger than ${shape.maxBytes} bytes, the limit of this route.`,
      ),
    );
  }
  if (shape.optional && bytes.byteLength === 0) return { kind: 'value', size: 0, value: {}, bytes };
  let size: number | undefined;
  try {
    const { mediaType, content } = contentOf(exchange, shape, bytes);
    size = content.byteLength;
    return { kind: 'value', size, value: readValue(exchange, shape, content, mediaType), bytes };
  } catch (error) {
    // What is larger than the limit was decompressed up to the limit.
    size ??= isTooLarge(error) ? shape.maxDecompressedBytes : undefined;
    return refused(size ?? bytes.byteLength, error);
  }
};

/**
 * Reads the body before the rate limit is charged, because the charge depends on its events and its size. An invalid body is
 * refused only afterwards, by `validate`: it costs what its size costs, and its response carries the rate-limit headers.
 */
export const readBody: Middleware = {
  before: ({ event: exchange }) => {
    exchange.body = read(exchange);
  },
};
