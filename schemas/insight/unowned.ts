import * as z from 'zod';
import { MappingCondition } from '../attribution/identityMapping.ts';
import { Total } from '../ledger/rollup.ts';
import { pageOf } from '../page.ts';
import { AnsweredTimeZone } from '../tenants/timeZone.ts';
import { ReportPeriod } from './reports.ts';

/** The newest records of a period that suggestions are made from. One request reads as many in the time that it has. */
export const EXAMINED_MAXIMUM = 1_000;
/** The most groups of calls of a service, and the most suggestions of a group. */
export const UNOWNED_GROUPS_MAXIMUM = 10;
export const SUGGESTIONS_MAXIMUM = 5;
export const UNOWNED_SERVICES_MAXIMUM = 100;
export const UNOWNED_SERVICES_DEFAULT = 20;

/** Bases of a suggestion, in the order in which suggestions are listed. */
export const SUGGESTION_BASES = [
  'mapping',
  'service',
  'workload',
  'rules',
  'tag',
  'key_name',
  'model',
  'name',
] as const;

export const OwnerSuggestion = z
  .object({
    owner: z.string(),
    basis: z.enum(SUGGESTION_BASES).meta({
      description:
        'mapping: an identity mapping names the owner, but begins later, or is newer than the records. service, workload, tag, key_name: the owner has confirmed calls with the same value. rules: the evidence of the calls names the owner with less confidence than a charge needs. model: a prediction. name: the value contains the name of the owner',
    }),
    field: MappingCondition.shape.field.nullable().meta({ description: 'Null if several or none were read' }),
    value: z.string().nullable().meta({ description: 'The value of the field' }),
    calls: z.int().meta({
      description:
        'Evidence: of service, workload, tag and key_name, the confirmed calls of this owner with the value. Of the others, the calls of the group for which they name the owner',
    }),
    of: z
      .int()
      .meta({ description: 'All confirmed calls with the value, or all examined calls of the group' }),
    confidence: z.number().nullable().meta({
      description:
        'Only of a prediction in whose services the confidence is calibrated: the mean of its calls. Null: not known',
    }),
    mapping: z.object({ id: z.string(), name: z.string() }).optional(),
  })
  .meta({ id: 'OwnerSuggestion', description: 'A suggestion. Nothing counts it as an owner' });
export type OwnerSuggestion = z.infer<typeof OwnerSuggestion>;

export const UnownedGroup = z
  .object({
    conditions: z.array(MappingCondition).meta({
      description:
        'Conditions of a mapping for these calls: what they name best. Empty if they name nothing that a mapping reads',
    }),
    examined: z.int().meta({ description: 'Calls of the group among the examined records' }),
    cost_usd: Total.meta({ description: 'The known cost of these calls' }),
    suggestions: z.array(OwnerSuggestion).max(SUGGESTIONS_MAXIMUM),
  })
  .meta({ id: 'UnownedGroup' });
export type UnownedGroup = z.infer<typeof UnownedGroup>;

const amounts = {
  invocations: z.int().meta({ description: 'Calls without a confirmed owner' }),
  invocations_maximum: z.int().meta({
    description: 'With the calls of which suppression hides whether they have one',
  }),
  cost_usd: Total.meta({ description: 'Known cost of `invocations`' }),
  cost_usd_maximum: Total.meta({ description: 'Known cost of `invocations_maximum`' }),
  share: z.number().nullable().meta({
    description: 'Of the known cost of all calls of the period, 0 to 1. Null if that is 0',
  }),
  share_maximum: z.number().nullable(),
  unpriced_invocations: z.int().meta({ description: 'Calls among `invocations` whose cost is unknown' }),
};

export const UnownedAmounts = z.object(amounts).meta({ id: 'UnownedAmounts' });
export type UnownedAmounts = z.infer<typeof UnownedAmounts>;

export const UnownedService = z
  .object({
    kind: z.enum(['group', 'folded', 'other']).meta({
      description:
        'group: one service. folded: calls of which suppression hides the service. other: all services beyond `top`',
    }),
    service: z.string().nullable().optional().meta({ description: 'Null: calls that name no service' }),
    ...amounts,
    provisional: Total.meta({ description: 'The part of `cost_usd` with an owner of low confidence' }),
    allocated: Total.meta({ description: 'The part that an allocation divides among owners' }),
    groups: z.array(UnownedGroup).max(UNOWNED_GROUPS_MAXIMUM).nullable().meta({
      description:
        'How the calls can be mapped, the most expensive group first. Those of a folded row are of the examined records that no other row names. Null without the scope read:attribution, and if no suggestions are asked for. Empty if none of the calls was examined: select the service',
    }),
  })
  .meta({ id: 'UnownedService' });
export type UnownedService = z.infer<typeof UnownedService>;

export const UnownedReport = pageOf(UnownedService, 'UnownedReport')
  .extend({
    services: z.int().meta({ description: 'Services with calls without a confirmed owner' }),
    totals: UnownedAmounts,
    period: ReportPeriod,
    time_zone: AnsweredTimeZone,
    examined: z
      .int()
      .nullable()
      .meta({
        description: `Records that suggestions were made from: the newest of the period, at most ${EXAMINED_MAXIMUM}. Null if none was read`,
      }),
    as_of: z.iso.datetime().meta({ description: 'As in the usage report' }),
    stale: z.boolean().meta({ description: 'As in the usage report' }),
  })
  .meta({ id: 'UnownedReport' });
export type UnownedReport = z.infer<typeof UnownedReport>;
