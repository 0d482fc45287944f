import * as z from 'zod';
import { MINUTE_MS } from '../durations.ts';

/**
 * Least time between two trainings of a tenant's model, in milliseconds: a model of a busy tenant serves for this long. The
 * publication gate tests a model over periods of the same length.
 */
export const TRAINING_INTERVAL_MS = 15 * MINUTE_MS;

/** One criterion of the publication gate, measured on calls later than the calls that the model was trained on. */
const GateCriterion = z.object({
  criterion: z.string().meta({ example: 'over_confidence' }),
  value: z.number().nullable().meta({ description: 'Null when there was no data to measure it' }),
  at_least: z.number().optional(),
  at_most: z.number().optional(),
  passed: z.boolean(),
});

/** Calls whose predictions had about the same confidence: one point of a reliability diagram. Shares are 0..1. */
const ReliabilityBin = z.object({
  calls: z.int(),
  confidence: z.number().meta({ description: 'Mean confidence of the predictions' }),
  accuracy: z
    .number()
    .meta({ description: 'Share of right predictions. Equal to the confidence when calibrated' }),
});

/** Result of the publication gate. A model passes when it meets every criterion. */
export const GateReport = z
  .object({
    passed: z.boolean(),
    tested: z.int().meta({
      description:
        'Labelled calls that the model was tested on. Each was predicted before it was used for training',
    }),
    criteria: z.array(GateCriterion),
    reliability: z.array(ReliabilityBin).default([]).meta({
      description:
        'The tested calls in up to 15 bins of equal width, by confidence. Bins of fewer than five calls are left out. Empty for models that were trained before this member existed',
    }),
  })
  .meta({ id: 'GateReport' });
export type GateReport = z.infer<typeof GateReport>;

export const Model = z
  .object({
    version: z.string().meta({ example: 'mdl_k3v9q2mc01KA3Z5V7JQ2M6X9R8T4B1C0DE' }),
    state: z.enum(['active', 'validated', 'rejected', 'recalled']).meta({
      id: 'ModelState',
      description:
        'active: the model serves predictions. validated: it passed the publication gate, and another model is active. rejected: it did not pass, and its predictions are advisory at most. recalled: it was withdrawn',
    }),
    trained_at: z.iso.datetime(),
    window: z.object({ from: z.iso.datetime(), to: z.iso.datetime() }).meta({
      description: 'Time range of the calls that the model was trained on',
    }),
    examples: z.int(),
    labelled: z.int().meta({ description: 'Examples with a label from the deterministic stage or a person' }),
    labels: z.int().meta({ description: 'Distinct pairs of owner and service in the labels' }),
    gate: GateReport,
    activated_at: z.iso.datetime().nullable(),
    recalled_at: z.iso.datetime().nullable(),
    recalled_by: z.string().nullable().meta({ description: 'Id of the key, client or user' }),
    recall_reason: z.string().nullable(),
  })
  .meta({ id: 'Model' });
export type Model = z.infer<typeof Model>;
