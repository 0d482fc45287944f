import * as z from 'zod';
import { Total } from '../ledger/rollup.ts';
import { freeText } from '../values.ts';
import { Between, SpendByState } from './budgets.ts';
import { ChangeRow, ChangeTotals, ComparedPeriod } from './changes.ts';

/** Dimensions of anomaly detection: the whole tenant, and each owner, service and model. */
export const AnomalyDimension = z.enum(['tenant', 'owner', 'service', 'served_model']);
export type AnomalyDimension = z.infer<typeof AnomalyDimension>;

export const AnomalyGrain = z.enum(['hour', 'day']);
export type AnomalyGrain = z.infer<typeof AnomalyGrain>;

const Driver = z
  .object({
    dimension: z.enum(['owner', 'service', 'provider', 'served_model']),
    value: z.string(),
    share: z.number().meta({ description: 'Share of the excess, in steps of 0.05', example: 0.85 }),
  })
  .meta({ id: 'AnomalyDriver' });
export type Driver = z.infer<typeof Driver>;

export const Anomaly = z
  .object({
    id: z.string(),
    detected_at: z.iso.datetime(),
    updated_at: z.iso.datetime().meta({ description: 'When an hour or day was last added to the anomaly' }),
    grain: AnomalyGrain.meta({
      description: 'Whether hours or whole UTC days were outside their expected range',
    }),
    dimension: AnomalyDimension,
    value: z
      .string()
      .nullable()
      .meta({ description: 'The owner, service or model. Null for the whole tenant' }),
    residency: z
      .string()
      .nullable()
      .meta({ description: 'The data-residency lane of the calls. Each lane is evaluated separately' }),
    period: Between.meta({
      description: 'Extended while the following hours or days are outside their range too',
    }),
    observed_usd: Total.meta({
      description: 'Cost of the hours or days that were outside their range',
    }),
    observed_by_owner_state: SpendByState.meta({
      id: 'ObservedByOwnerState',
      description:
        'The observed cost by the state of the owner, as owner_states of the usage report. Absent in anomalies that were found without it',
    }).optional(),
    expected_usd: z.object({ low: Total, central: Total, high: Total }).meta({
      description: 'Expected cost of these hours or days, and the expected range',
    }),
    score: z.number().meta({
      description:
        'Distance of the cost from the expected cost, divided by the distance of the upper end of the range. 1 is the end of the range. The highest value of all hours or days',
    }),
    drivers: z.array(Driver).meta({
      id: 'AnomalyDrivers',
      description:
        'The sources of most of the excess, largest share first. Each dimension explains the same excess, so shares of different dimensions do not add up.',
    }),
  })
  .meta({ id: 'DetectedAnomaly' });
export type Anomaly = z.infer<typeof Anomaly>;

/** An anomaly as the list shows it. */
export const ListedAnomaly = Anomaly.extend({
  muted_until: z.iso
    .datetime()
    .nullable()
    .meta({ description: 'Until when its series raises no events and notifications. Null: it is not muted' }),
}).meta({ id: 'Anomaly' });

/** Most groups of an anomaly that are named, those with the largest change. */
export const ANOMALY_MOVERS_MAXIMUM = 5;

/** An anomaly with what led to it. */
export const ExplainedAnomaly = ListedAnomaly.extend({
  first_hour: z.iso.datetime().nullable().meta({
    description:
      'The first hour that costs at least the mean of all hours more than the same hour of the earlier period. Null: no such hour is shown, or the anomaly has more than 31 days',
  }),
  change: ChangeTotals.meta({
    description:
      'Why its calls cost more than those of `previous`, as getChangesReport divides the change. It differs from the excess over the expected cost, which is a median of weeks',
  }),
  previous: ComparedPeriod.meta({
    description: 'The same weekdays, a week before, or as many weeks as the anomaly has',
  }),
  movers: z.array(ChangeRow).meta({
    description:
      'The largest changes by service, or by model for a service, or by owner for the tenant and for a model',
  }),
  links: z.object({ changes: z.string(), hours: z.string(), calls: z.string() }).meta({
    description: 'Requests for more: changes, usage by the hour, and the calls, which take read:attribution',
  }),
  as_of: z.iso.datetime(),
  stale: z.boolean(),
}).meta({ id: 'ExplainedAnomaly' });
export type ExplainedAnomaly = z.infer<typeof ExplainedAnomaly>;

/** Most muted series of a tenant, so that they fit into one item of 400 kB. */
export const MUTES_MAXIMUM = 200;
/** Longest time for which a series can be muted. A longer time would hide a leak for good. */
export const MUTE_DAYS_MAXIMUM = 90;

/** The members of a mute that the client sets. */
export const muteMembers = {
  days: z.int().min(1).max(MUTE_DAYS_MAXIMUM).meta({ description: 'How long, from now on' }),
  reason: freeText(512).optional(),
};

export const AnomalyMute = z
  .object({
    ...Anomaly.pick({ dimension: true, value: true, residency: true }).shape,
    until: z.iso.datetime(),
    reason: z.string().optional(),
    muted_by: z.string(),
    muted_at: z.iso.datetime(),
  })
  .meta({ id: 'AnomalyMute' });
export type AnomalyMute = z.infer<typeof AnomalyMute>;
