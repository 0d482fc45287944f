import * as z from 'zod';

/**
 * Milliseconds between two trainings of a tenant's model: a model serves for this long. The publication gate tests a model
 * over periods of the same length.
 */
export const TRAINING_PERIOD_MS = 3 * 60 * 60 * 1_000;

/** One thing that a model had to show on calls later than those it learnt from. */
const GateCriterion = z.object({
  criterion: z.string().meta({ example: 'calibration_error' }),
  value: z.number().nullable().meta({ description: 'Null where there was nothing to measure it on' }),
  at_least: z.number().optional(),
  at_most: z.number().optional(),
  passed: z.boolean(),
});

/** Whether a model may serve: it must have met every criterion. */
export const GateReport = z.object({
  passed: z.boolean(),
  tested: z
    .int()
    .meta({ description: 'Labelled calls it was tested on, each later than what it had learnt from' }),
  criteria: z.array(GateCriterion),
});
export type GateReport = z.infer<typeof GateReport>;

export const Model = z
  .object({
    version: z.string().meta({ example: 'mdl_k3v9q2mc01KA3Z5V7JQ2M6X9R8T4B1C0DE' }),
    state: z.enum(['active', 'validated', 'rejected', 'recalled']).meta({
      description:
        'active: it serves; validated: it passed the gate and another serves; rejected: it did not pass, and the heuristic serves unless another model does; recalled: withdrawn',
    }),
    trained_at: z.iso.datetime(),
    window: z.object({ from: z.iso.datetime(), to: z.iso.datetime() }).meta({
      description: 'The calls it learnt from',
    }),
    examples: z.int(),
    labelled: z.int().meta({ description: 'Examples that the deterministic stage had resolved' }),
    labels: z.int().meta({ description: 'Owners and services it can tell apart' }),
    gate: GateReport,
    activated_at: z.iso.datetime().nullable(),
    recalled_at: z.iso.datetime().nullable(),
    recalled_by: z.string().nullable().meta({ description: 'Id of the key, client or user' }),
    recall_reason: z.string().nullable(),
  })
  .meta({ id: 'Model' });
export type Model = z.infer<typeof Model>;
