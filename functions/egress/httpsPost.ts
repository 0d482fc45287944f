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

export interface ResponseLimits {
  /** Bytes of the answer's headers; more are a failure. */
  readonly headerBytes: number;
  /** Bytes of the answer's body that are read; the rest is not. */
  readonly bodyBytes: number;
}

/** Answers every question with the addresses that were checked: what is dialled is what was judged. */
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
 * Posts a message over a connection of its own to one of `addresses`, with certificate and server name checked against
 * the host. No redirect is followed, no proxy asked, no connection or session used again, nothing decompressed. The
 * signal ends it at any point. Never throws.
 */
export const httpsPost = async (
  target: Target,
  addresses: readonly string[],
  message: OutboundMessage,
  options: { readonly bounds: ResponseLimits; readonly signal: AbortSignal; readonly ca: string | undefined },
): Promise<Answered | Failed> => {
  const { bounds, signal, ca } = options;
  let stage: Failure = 'connect';
  const call = request({
    method: 'POST',
    host: target.host,
    port: target.port,
    path: target.path,
    headers: { ...message.headers, 'content-length': message.body.length },
    // Its own agent: the global one keeps connections, and takes proxies from the environment.
    agent: new Agent({ keepAlive: false, maxCachedSessions: 0 }),
    lookup: pinnedLookup(addresses),
    servername: isIP(target.host) === 0 ? target.host : '',
    // Said outright, since an environment variable can turn the default off.
    rejectUnauthorized: true,
    ca: ca === undefined ? undefined : [...rootCertificates, ca],
    maxHeaderSize: bounds.headerBytes,
    signal,
  });
  const response = new Promise<IncomingMessage>((resolve, reject) => {
    call.once('response', resolve);
    // Stays for as long as the call does: a connection may break after its answer came, too.
    call.on('error', reject);
    // An upgrade that nobody asked for ends a call without an error.
    call.once('close', () => reject(new Error('closed without an answer')));
  });
  call.once('socket', (socket) => {
    socket.once('connect', () => {
      const { remoteAddress = '' } = socket;
      const isChecked = addresses.some((address) => isSameAddress(address, remoteAddress));
      stage = isChecked ? 'tls' : 'refused_address';
      if (!isChecked) call.destroy(new Error('connected to an address that was not judged'));
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
    return { kind: 'answered', status, retryAfter: headers['retry-after'] ?? null, body, truncated };
  } catch (error) {
    if (signal.aborted) return failed('timeout');
    return failed(isParserError(error) ? 'protocol' : stage);
  } finally {
    call.destroy();
  }
};
