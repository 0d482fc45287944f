import { BUCKET_WORDS, fillBucket, hasTokens, type Rate, takeTokens } from '../limits/tokenBucket.ts';

/** The throttle of the API stage, which all routes and callers share. */
export interface StageThrottle {
  readonly requestsPerSecond: number;
  readonly burst: number;
}

/** Whether a request passes the throttle. `clock` is in milliseconds since the start of the runtime. */
export const openStageThrottle = (
  { requestsPerSecond, burst }: StageThrottle,
  clock: () => number,
): (() => boolean) => {
  const rate: Rate = { units: requestsPerSecond, burstSeconds: burst / requestsPerSecond };
  const words = new Int32Array(new SharedArrayBuffer(BUCKET_WORDS * Int32Array.BYTES_PER_ELEMENT));
  fillBucket(words, 0, rate, Math.floor(clock()));
  return () => {
    if (!hasTokens(words, 0, rate, Math.floor(clock()))) return false;
    takeTokens(words, 0, 1);
    return true;
  };
};
