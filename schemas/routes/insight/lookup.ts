import * as z from 'zod';
import { Interpretation, OutputState } from '../../attribution/attributionRecord.ts';
import { listOf } from '../../filters.ts';
import { InvocationEventFields } from '../../ingest/invocationEvent.ts';
import { BudgetPeriod, Threshold } from '../../insight/budgets.ts';
import { droppableLabels, label } from '../../values.ts';
import { route } from '../route.ts';

/** Configuration and standings that a lookup returns are at most this old. Standings also follow spend by about a minute. */
export const LOOKUP_AGE_SECONDS_MAXIMUM = 5;

const {
  attributed_identity,
  end_user,
  attributed_service,
  spiffe_id,
  k8s_cluster,
  k8s_namespace,
  k8s_workload,
  api_key_name,
  source_system,
} = InvocationEventFields.shape;

const LookupQuery = z.strictObject({
  attributed_identity,
  end_user,
  attributed_service,
  spiffe_id,
  k8s_cluster,
  k8s_namespace,
  k8s_workload,
  api_key_name,
  source_system,
  tags: listOf(droppableLabels(64, 20), z.string().max(1_400))
    .optional()
    .meta({ description: 'As text: comma-separated', example: 'env:prod' }),
  provider: label(64).optional().meta({ description: 'For budgets by provider', example: 'openai' }),
  served_model: label(256).optional().meta({ description: 'For budgets by model' }),
  region: label(256).optional().meta({ description: 'For budgets by region' }),
});

const BudgetStanding = z.object({
  budget_id: z.string().meta({ example: 'bud_k3v9q2mc01KA3Z5V7JQ2M6X9R8T4B1C0DE' }),
  period: BudgetPeriod,
  crossed: z.array(Threshold).nullable().meta({
    description:
      'Thresholds crossed in the current period, in percent of the ceiling, ascending. Null if the budget counts records and the caller lacks read:attribution',
  }),
});
export type BudgetStanding = z.infer<typeof BudgetStanding>;

const AttributionLookup = z
  .object({
    owner: z.string().nullable().meta({ description: 'Null if the rules name none' }),
    service: z.string().nullable().meta({ description: 'Null if the rules name none' }),
    output_state: OutputState.extract(['deterministically_resolved', 'unresolved']),
    interpretation: Interpretation,
    budgets: z.array(BudgetStanding).meta({
      description: 'The budgets that would count the call, those with the highest crossed threshold first',
    }),
    as_of: z.iso.datetime().meta({ description: 'When the mappings and the crossed thresholds were read' }),
  })
  .meta({ id: 'AttributionLookup' });
export type AttributionLookup = z.infer<typeof AttributionLookup>;

export const lookUpAttribution = route({
  method: 'GET',
  path: '/api/v1/lookup',
  operation: 'lookUpAttribution',
  // Mappings and budgets are not shown: only the result for the signals of one call, and the thresholds of its budgets.
  authority: {
    effect: 'none',
    reveals: [],
    withholds: ['read:attribution'],
    internal: ['admin:config'],
    lanes: 'own',
  },
  unit: 'lookup',
  summary: 'Look up owner and budgets of a call before it is made',
  description: `For decisions in the path of a call (P99 objective: 50 ms). Takes the signals of its event. Rules and identity mappings decide owner and service; a trained model is not asked, so a call that is unresolved here can get an owner later. The response is at most ${LOOKUP_AGE_SECONDS_MAXIMUM} seconds old. The service never blocks a call: what follows from the answer is up to the caller, and a call without an answer must go on.`,
  access: 'read:lookup',
  discloses: 'cohorts_or_records',
  rate: 'read',
  needs: ['identity.list', 'budgets.list'],
  query: LookupQuery,
  replies: {
    200: { description: 'The owner, the service and the budgets of the call', body: AttributionLookup },
  },
});
