import * as z from 'zod';
import { HOUR_MS } from '../durations.ts';
import { parseFixedPoint } from '../fixedPoint.ts';
import { DecimalString, label, Timestamp } from '../values.ts';

const POOLS_MAXIMUM = 20;

/** Larger numbers are mistakes, and their products would not fit into an amount. */
const upTo = (largest: number) =>
  DecimalString.refine(
    (text) => parseFixedPoint(text) <= parseFixedPoint(String(largest)),
    `must be at most ${largest}`,
  );

/** What a node pool runs, in the terms of a contract price. */
const Served = z.strictObject({
  provider: label(64).meta({ description: 'As the events name it', example: 'vllm' }),
  model: label(256).meta({
    description: 'A model id, or a prefix that ends in *',
    example: 'llama-3.3-70b*',
  }),
  region: label(64).optional().meta({ description: 'Only calls with this region' }),
  host: label(256).optional().meta({
    description: 'Only calls to this host (server_address), whatever client made them',
    example: 'vllm.internal',
  }),
});

const Rate = z.strictObject({
  from: Timestamp.refine((text) => Date.parse(text) % HOUR_MS === 0, 'must be a whole UTC hour').meta({
    description: 'First UTC hour with this rate. It holds until the next one',
    example: '2026-11-01T00:00:00Z',
  }),
  node_hour_usd: upTo(100_000).meta({
    description: 'Cost of one node for an hour, in USD',
    example: '12.29',
  }),
  nodes: z.int().min(0).max(10_000).meta({ description: '0: the pool does not run' }),
  node_watts: upTo(1_000_000).optional().meta({
    description:
      'Mean electric power of one node with its cooling, measured or stated. The energy of the nodes is then divided as their cost',
    example: '6200',
  }),
});

/** Relative work of one token of a kind. */
const Weights = z.strictObject({ input: upTo(1_000), cached_input: upTo(1_000), output: upTo(1_000) });
export type Weights = z.infer<typeof Weights>;

/** Own servers that run models, and what an hour of them costs. */
export const NodePool = z
  .strictObject({
    name: label(64).meta({ example: 'h100-frankfurt' }),
    serves: z.array(Served).min(1).max(50),
    rates: z
      .array(Rate)
      .min(1)
      .max(100)
      .refine(
        (rates) => new Set(rates.map(({ from }) => Date.parse(from))).size === rates.length,
        'must have one rate for each `from`',
      ),
    weights: Weights.optional().meta({
      description:
        'Measured work of a token, relative to the others. Without it, an output token counts as four input tokens and a cached one as a tenth, and the cost is a range',
    }),
  })
  .meta({ id: 'NodePool' });
export type NodePool = z.infer<typeof NodePool>;

export const NodePools = z
  .array(NodePool)
  .max(POOLS_MAXIMUM)
  .refine(
    (pools) => new Set(pools.map(({ name }) => name)).size === pools.length,
    'must name each pool once',
  );
export type NodePools = z.infer<typeof NodePools>;
