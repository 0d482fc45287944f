import type { RaisedEvent } from '../../../schemas/delivery/events.ts';
import { DAY_MS, HOUR_MS } from '../../../schemas/durations.ts';
import type { Anomaly } from '../../../schemas/insight/anomalies.ts';
import { LENGTH } from '../../ledger/rollups/grain.ts';
import { createEvent } from '../../platform/outbox/createEvent.ts';
import { addDecimals, decimal, toDecimalString, ZERO } from '../../platform/shared/decimal.ts';
import { sha256Of } from '../../platform/shared/hash.ts';
import { idOf, ulidInId } from '../../platform/shared/ids.ts';
import { toIso } from '../../platform/shared/time/toIso.ts';
import { ulidOf } from '../../platform/shared/ulid.ts';
import { sumByState } from '../budgets/spend/spendByState.ts';
import type { Candidate } from './detectAnomalies.ts';
import { entityKey } from './entity.ts';

interface TenantRef {
  readonly tenant_id: string;
  readonly tag: string;
}

/** A finding is extended by the next anomalous period when the gap between them is at most this long. */
const MAX_GAP_MS = { hour: 2 * HOUR_MS, day: DAY_MS } as const;

/** Whether a period that starts at `start` (epoch milliseconds) is earlier than a finding. */
export const isBefore = (start: number, { period }: Pick<Anomaly, 'period'>): boolean =>
  start < Date.parse(period.from);

/** Whether an anomalous period that starts at `start` (epoch milliseconds) extends a finding. */
export const canExtendTo = ({ grain, period }: Pick<Anomaly, 'grain' | 'period'>, start: number): boolean =>
  !isBefore(start, { period }) && start <= Date.parse(period.to) + MAX_GAP_MS[grain];

/** Whether a finding already includes the period that starts at `start` (epoch milliseconds). */
export const includesPeriod = ({ period }: Pick<Anomaly, 'period'>, start: number): boolean =>
  !isBefore(start, { period }) && start < Date.parse(period.to);

/** Returns a new finding. Its id is derived from tenant, entity and period. `now` is epoch milliseconds. */
export const newFinding = (tenant: TenantRef, candidate: Candidate, now: number): Anomaly => {
  const { entity, grain, start, deviation, byState, drivers } = candidate;
  const { observed, low, central, high, score } = deviation;
  const end = start + LENGTH[grain];
  const digest = sha256Of('anomaly', tenant.tenant_id, entityKey(entity), grain, String(start));
  const at = toIso(now);
  return {
    id: idOf('anm', tenant.tag, ulidOf(end, digest)),
    detected_at: at,
    updated_at: at,
    grain,
    ...entity,
    period: { from: toIso(start), to: toIso(end) },
    observed_usd: toDecimalString(observed),
    observed_by_owner_state: Object.fromEntries(
      Object.entries(byState).map(([state, cost]) => [state, toDecimalString(decimal(cost))]),
    ),
    expected_usd: {
      low: toDecimalString(low),
      central: toDecimalString(central),
      high: toDecimalString(high),
    },
    score,
    drivers: [...drivers],
  };
};

/** Unknown if a finding was stored without it. */
const observedByState = ({ observed_by_owner_state: one }: Anomaly, next: Anomaly) =>
  one === undefined ? {} : { observed_by_owner_state: sumByState(one, next.observed_by_owner_state ?? {}) };

/** Extends a finding by a period. Amounts are summed. Score and drivers are those of the period with the highest score. */
export const extendFinding = (finding: Anomaly, next: Anomaly): Anomaly => {
  const worst = next.score > finding.score ? next : finding;
  return {
    ...finding,
    updated_at: next.updated_at,
    period: { from: finding.period.from, to: next.period.to },
    observed_usd: addDecimals(finding.observed_usd, next.observed_usd),
    ...observedByState(finding, next),
    expected_usd: {
      low: addDecimals(finding.expected_usd.low, next.expected_usd.low),
      central: addDecimals(finding.expected_usd.central, next.expected_usd.central),
      high: addDecimals(finding.expected_usd.high, next.expected_usd.high),
    },
    score: worst.score,
    drivers: worst.drivers,
  };
};

/** Whether the period of a finding overlaps a time range (epoch milliseconds). */
export const overlaps = ({ period }: Pick<Anomaly, 'period'>, from: number, to: number): boolean =>
  Date.parse(period.from) < to && Date.parse(period.to) > from;

/** The observed cost of a finding above the expected cost, in USD. */
export const excessOf = ({ observed_usd, expected_usd }: Anomaly) =>
  decimal(observed_usd).minus(decimal(expected_usd.central));

/** The ratio of observed to expected cost of a finding. Undefined when the expected cost is 0. */
export const scaleOf = ({ observed_usd, expected_usd }: Anomaly) => {
  const central = decimal(expected_usd.central);
  return central.gt(ZERO) ? decimal(observed_usd).div(central) : undefined;
};

/** The event of a finding. It is raised once, with the first period. */
export const detectedEvent = (tenant: TenantRef, finding: Anomaly): RaisedEvent => {
  const { id, updated_at: _later, ...data } = finding;
  const at = Date.parse(finding.detected_at);
  const ulid = ulidOf(at, sha256Of('anomaly detected', ulidInId(id)));
  return createEvent('anomaly.detected', { anomaly_id: id, ...data }, { ulid, at, tenant });
};
