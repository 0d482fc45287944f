import { randomBytes } from 'node:crypto';

/** The trace of a request (W3C Trace Context). */
export interface Trace {
  /** 32 hexadecimal digits. */
  readonly traceId: string;
}

/** Ids of zeros and version ff are invalid. Only versions after 00 may have more fields. */
const TRACEPARENT =
  /^(?!ff|00-.{52}-)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(?:-.*)?$/;

/**
 * Continues the trace of the caller, or starts a new one if the header is missing or invalid
 * (https://www.w3.org/TR/trace-context/).
 */
export const traceOf = (
  traceparent: string | undefined,
  random: () => Uint8Array = () => randomBytes(16),
): Trace => {
  const traceId = TRACEPARENT.exec(traceparent ?? '')?.[1];
  return { traceId: traceId ?? Buffer.from(random()).toString('hex') };
};
