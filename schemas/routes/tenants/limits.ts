import * as z from 'zod';
import { rateClasses } from '../../platform/limits.ts';
import { route } from '../route.ts';

export const RateLimitBudget = z
  .object({
    plan: z.string(),
    classes: z.array(
      z.object({
        class: z.enum(rateClasses),
        rate: z.number().meta({
          description:
            'Refill rate in tokens per second. For ingest, one event takes one token, and a body at least one for every 16 KiB after decompression',
        }),
        limit: z.int().meta({ description: 'Capacity of the bucket' }),
        remaining: z.int(),
        reset: z.int().meta({ description: 'Seconds until the bucket is full' }),
      }),
    ),
  })
  .meta({ id: 'RateLimitBudget' });
export type RateLimitBudget = z.infer<typeof RateLimitBudget>;

export const getRateLimit = route({
  method: 'GET',
  path: '/api/v1/rate-limit',
  operation: 'getRateLimit',
  authority: { effect: 'none', reveals: [], lanes: 'none' },
  unit: 'oauth',
  summary: "Read the caller's remaining rate limit in each rate class",
  description: 'This request is not rate limited. The values equal those of the RateLimit headers.',
  access: 'caller',
  discloses: 'none',
  rate: 'none',
  needs: ['limits.read'],
  replies: { 200: { description: 'One entry for each class', body: RateLimitBudget } },
});
