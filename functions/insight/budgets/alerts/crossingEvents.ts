import type { RaisedEvent } from '../../../../schemas/delivery/events.ts';
import type { Budget, Likelihood } from '../../../../schemas/insight/budgets.ts';
import type { ForecastMembers } from '../../../../schemas/insight/forecast.ts';
import { createEvent } from '../../../platform/outbox/createEvent.ts';
import { sha256Of } from '../../../platform/shared/hash.ts';
import type { Interval } from '../../../platform/shared/time/interval.ts';
import { toIso } from '../../../platform/shared/time/toIso.ts';
import { ulidOf } from '../../../platform/shared/ulid.ts';
import { calendarOf, type Tenant } from '../../../platform/tenancy/tenant.ts';
import { betweenOf } from '../budgetPeriod.ts';
import type { Spend } from '../spend/spend.ts';
import { type Crossing, periodKey } from './crossing.ts';

type EventTenant = Pick<Tenant, 'tenant_id' | 'tag' | 'time_zone'>;
type EventBudget = Pick<Budget, 'name' | 'ceiling_usd' | 'period' | 'basis' | 'residency'>;

/** The figures of a budget when a threshold was crossed. */
export interface Figures {
  readonly period: Interval;
  readonly spend: Spend;
  readonly forecast: ForecastMembers;
}

/** What events of both kinds say, and their id: it is derived from budget, period, threshold, likelihood and rearm count. */
const partsOf = (
  tenant: EventTenant,
  budget: EventBudget,
  crossing: Crossing,
  { period, spend }: Pick<Figures, 'period' | 'spend'>,
) => {
  const { budget_id, threshold, likelihood, rearm_count, crossed_at } = crossing;
  const at = Date.parse(crossed_at);
  const digest = sha256Of(
    likelihood === undefined ? 'budget threshold' : `budget forecast ${likelihood}`,
    budget_id,
    periodKey(budget.period, period, calendarOf(tenant)),
    budget.period === 'rolling_30d' ? crossed_at : '',
    String(threshold),
    String(rearm_count),
  );
  return {
    members: { budget_id, name: budget.name, basis: budget.basis, residency: budget.residency, threshold },
    end: { period: betweenOf(period), as_of: toIso(Math.min(spend.asOf ?? at, at)) },
    creation: { ulid: ulidOf(at, digest), at, tenant },
  };
};

/** The event of a threshold that the spend reached. */
export const crossedEvent = (
  tenant: EventTenant,
  budget: EventBudget,
  crossing: Crossing,
  figures: Figures,
): RaisedEvent => {
  const { members, end, creation } = partsOf(tenant, budget, crossing, figures);
  const { spent } = figures.spend;
  const data = {
    ...members,
    period_to_date_usd: Number(spent),
    ceiling_usd: Number(budget.ceiling_usd),
    exact: { period_to_date_usd: spent, ceiling_usd: budget.ceiling_usd, ...figures.forecast },
    ...end,
  };
  return createEvent('budget.threshold.crossed', data, creation);
};

/** The event of a threshold that the forecast reached. */
export const forecastCrossedEvent = (
  tenant: EventTenant,
  budget: EventBudget,
  crossing: Crossing & { readonly likelihood: Likelihood },
  figures: Figures,
): RaisedEvent => {
  const { members, end, creation } = partsOf(tenant, budget, crossing, figures);
  const data = {
    ...members,
    likelihood: crossing.likelihood,
    period_to_date_usd: figures.spend.spent,
    ceiling_usd: budget.ceiling_usd,
    ...figures.forecast,
    ...end,
  };
  return createEvent('budget.forecast.crossed', data, creation);
};
