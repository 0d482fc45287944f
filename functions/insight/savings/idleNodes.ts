import type { NodeHourLine } from '../../../schemas/attribution/nodeHours.ts';
import type { Saving } from '../../../schemas/insight/savings.ts';
import { decimal, sumDecimals } from '../../platform/shared/decimal.ts';
import { idleRealised } from './realised/idleRealised.ts';
import { isShown } from './realised/realised.ts';
import type { SavingsPeriod } from './serviceCalls.ts';

const VERIFY =
  'Compare the hours of the pool in the report of node hours, and scale it down or stop it where it stays idle. Some idle time is the price of fast answers.';

/** What hours of node pools cost that no call used. Fewer nodes may be too slow at a peak, so the least is zero. */
export const idleNodes = (
  lines: readonly NodeHourLine[],
  before: readonly NodeHourLine[],
  period: Pick<SavingsPeriod, 'monthly' | 'lengths'>,
): Saving[] => {
  const { monthly } = period;
  // A pool that was released has hours of the period before only.
  return [...new Set([...lines, ...before].map(({ pool }) => pool))].flatMap((pool) => {
    const ofPool = (line: NodeHourLine): boolean => line.pool === pool;
    const hours = lines.filter(ofPool);
    const sum = (amountOf: (line: NodeHourLine) => string): string => sumDecimals(hours.map(amountOf));
    const idle = sum(({ idle_usd }) => idle_usd);
    // Hours of calls without a duration are charged whole, so they show no idle time.
    const realised = idleRealised(hours, before.filter(ofPool), period);
    if (!isShown(decimal(idle), realised)) return [];
    const isMetered = hours.every(({ idle_wh }) => idle_wh !== undefined);
    return [
      {
        saving: 'idle_nodes' as const,
        kind: 'group' as const,
        pool,
        low_usd: '0',
        high_usd: monthly(decimal(idle)),
        energy_wh: isMetered
          ? { low: '0', high: monthly(decimal(sum(({ idle_wh: energy = '0' }) => energy))) }
          : null,
        confidence: 'medium' as const,
        invocations: hours.reduce((total, { calls }) => total + calls, 0),
        cost_usd: sum(({ cost_usd }) => cost_usd),
        basis: { idle_usd: idle, hours: String(hours.length) },
        verify: VERIFY,
        realised,
      },
    ];
  });
};
