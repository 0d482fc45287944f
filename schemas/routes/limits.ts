import * as z from 'zod';
import { rateClasses } from '../platform/limits.ts';
import { route } from './route.ts';

export const RateLimitBudget = z
  .object({
    plan: z.string(),
    classes: z.array(
      z.object({
        class: z.enum(rateClasses),
        rate: z.number().meta({ description: 'Tokens a second; for ingest an event takes one' }),
        limit: z.int().meta({ description: 'The most the bucket holds' }),
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
  unit: 'access',
  summary: "The caller's remaining budget in every rate class",
  description: 'Costs nothing. Reports the same remaining budget as the RateLimit headers.',
  access: 'caller',
  rate: 'none',
  needs: ['limits.read'],
  replies: { 200: { description: 'One entry for each class', body: RateLimitBudget } },
});
