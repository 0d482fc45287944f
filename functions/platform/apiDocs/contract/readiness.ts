import { type ReadinessCheck, readinessChecks } from '../../../../schemas/platform/readiness.ts';
import type { Readiness } from '../../../../schemas/routes/platform/contract.ts';
import { raceAbort } from '../../egress/raceAbort.ts';
import { cacheLookups } from '../../shared/caches/lookupCache.ts';
import { describeError, log } from '../../shared/log.ts';
import type { Clock } from '../../shared/time/clock.ts';
import type { Probe } from './probe.aws.ts';

/** A dependency that does not respond within this time is not ready. */
const PROBE_TIMEOUT_MS = 2_000;
/** Anyone may call the route, so a process probes at most once in this time. */
const CACHE_TTL_MS = 1_000;

/** Reports which dependencies respond. Concurrent and repeated calls share one report. Never rejects. */
export type CheckReadiness = () => Promise<Readiness>;

export const readinessCheck = (
  probes: Readonly<Record<ReadinessCheck, Probe>>,
  { clock, timeoutMs = PROBE_TIMEOUT_MS }: { readonly clock: Clock; readonly timeoutMs?: number },
): CheckReadiness => {
  const isReady = async (name: ReadinessCheck): Promise<boolean> => {
    const signal = AbortSignal.timeout(timeoutMs);
    try {
      await raceAbort(signal, probes[name](signal));
      return true;
    } catch (error) {
      log({ level: 'warn', message: 'a dependency is not ready', dependency: name, ...describeError(error) });
      return false;
    }
  };
  const check = async (): Promise<Readiness> => {
    const checks = await Promise.all(
      readinessChecks.map(async (name) => [name, (await isReady(name)) ? 'ok' : 'failed'] as const),
    );
    const isNotReady = checks.some(([, outcome]) => outcome === 'failed');
    return { status: isNotReady ? 'not_ready' : 'ready', checks: Object.fromEntries(checks) };
  };
  const cached = cacheLookups(check, { lifetime: CACHE_TTL_MS, capacity: 1, clock });
  return async () => (await cached('')) ?? check();
};
