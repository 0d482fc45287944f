import { randomBytes } from 'node:crypto';

/** The trace a request belongs to (W3C Trace Context). */
export interface Trace {
  /** 32 hexadecimal digits. */
  readonly traceId: string;
}

/** All zeros name nothing, version ff does not exist, and only versions after 00 may have more fields. */
const TRACEPARENT =
  /^(?!ff|00-.{52}-)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(?:-.*)?$/;

/**
 * Continues the caller's trace, or begins a new one when there is none, or none that is valid
 * (https://www.w3.org/TR/trace-context/).
 */
export const traceOf = (
  traceparent: string | undefined,
  random: () => Uint8Array = () => randomBytes(16),
): Trace => {
  const traceId = TRACEPARENT.exec(traceparent ?? '')?.[1];
  return { traceId: traceId ?? Buffer.from(random()).toString('hex') };
};
