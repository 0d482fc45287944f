import type { IncomingMessage } from 'node:http';
import { Agent, request } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { rootCertificates } from 'node:tls';
import { isSameAddress } from './address.ts';
import { type Answered, type Failed, type Failure, failed } from './outcome.ts';
import type { Target } from './target.ts';

export interface OutboundMessage {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

/** A request as sent. */
export interface OutboundRequest extends Pick<OutboundMessage, 'headers'> {
  readonly method: 'GET' | 'PUT' | 'POST' | 'DELETE';
  readonly body?: Uint8Array;
}

export interface ResponseLimits {
  /** The most bytes of response headers. More is a failure. */
  readonly headerBytes: number;
  /** The most bytes of the response body that are read. The rest is discarded. */
  readonly bodyBytes: number;
}

/**
 * Always returns the checked addresses, so that a second DNS answer cannot change where the call connects (DNS rebinding).
 */
const pinnedLookup =
  (addresses: readonly string[]): LookupFunction =>
  (_host, _options, callback) =>
    callback(
      null,
      addresses.map((address) => ({ address, family: isIP(address) })),
    );

const readAtMost = async (response: IncomingMessage, maximum: number) => {
  const chunks: AsyncIterable<Uint8Array> = response;
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    parts.push(chunk);
    size += chunk.length;
    if (size > maximum) break;
  }
  return { body: Buffer.concat(parts).subarray(0, maximum), truncated: size > maximum };
};

const isParserError = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && String(error.code).startsWith('HPE_');

/**
 * Sends a request over a new TLS connection to one of `addresses`. The certificate and the server name are checked against
 * the host. Does not follow redirects, use proxies, reuse connections or TLS sessions, or decompress the response. The
 * signal aborts the call at any point. Never throws.
 */
export const httpsRequest = async (
  target: Target,
  addresses: readonly string[],
  message: OutboundRequest,
  options: { readonly bounds: ResponseLimits; readonly signal: AbortSignal; readonly ca: string | undefined },
): Promise<Answered | Failed> => {
  const { bounds, signal, ca } = options;
  let stage: Failure = 'connect';
  const call = request({
    method: message.method,
    host: target.host,
    port: target.port,
    path: target.path,
    headers: {
      ...message.headers,
      ...(message.body !== undefined && { 'content-length': message.body.length }),
    },
    // A separate agent, because the global agent keeps connections alive and takes proxies from the environment.
    agent: new Agent({ keepAlive: false, maxCachedSessions: 0 }),
    lookup: pinnedLookup(addresses),
    servername: isIP(target.host) === 0 ? target.host : '',
    // Explicit, because the environment variable NODE_TLS_REJECT_UNAUTHORIZED can turn the default off.
    rejectUnauthorized: true,
    ca: ca === undefined ? undefined : [...rootCertificates, ca],
    maxHeaderSize: bounds.headerBytes,
    signal,
  });
  const response = new Promise<IncomingMessage>((resolve, reject) => {
    call.once('response', resolve);
    // Not `once`: a connection may also break after the response has arrived.
    call.on('error', reject);
    // An unrequested protocol upgrade (101) closes the call without an error event.
    call.once('close', () => reject(new Error('closed without a response')));
  });
  call.once('socket', (socket) => {
    socket.once('connect', () => {
      const { remoteAddress = '' } = socket;
      const isChecked = addresses.some((address) => isSameAddress(address, remoteAddress));
      stage = isChecked ? 'tls' : 'refused_address';
      if (!isChecked) call.destroy(new Error('connected to an address that was not checked'));
    });
    socket.once('secureConnect', () => {
      stage = 'reset';
    });
  });
  try {
    call.end(message.body);
    const { statusCode: status = 0, headers } = await response;
    if (status >= 300 && status < 400) return failed('redirect', status);
    const { body, truncated } = await readAtMost(await response, bounds.bodyBytes);
    const retryAfter = headers['retry-after'] ?? null;
    return { kind: 'answered', status, retryAfter, headers, body, truncated };
  } catch (error) {
    if (signal.aborted) return failed('timeout');
    return failed(isParserError(error) ? 'protocol' : stage);
  } finally {
    call.destroy();
  }
};
