import { expect, it } from 'vitest';
import * as z from 'zod';
import { Settings } from '../../lib/settings.ts';
import { planLimits, rateClasses } from '../../schemas/platform/limits.ts';
import { resourcesOf, templateOf } from './stack.ts';

const Stage = z.object({
  DefaultRouteSettings: z.object({ ThrottlingRateLimit: z.number(), ThrottlingBurstLimit: z.number() }),
});
const throttleOf = (settings: Parameters<typeof templateOf>[0]) =>
  [...resourcesOf(templateOf(settings), 'AWS::ApiGatewayV2::Stage', Stage).values()].map(
    ({ DefaultRouteSettings }) => DefaultRouteSettings,
  );

it('throttles the stage for all tenants as the settings say', () => {
  const raised = { throttleRate: 40_000, throttleBurst: 20_000 };

  expect(throttleOf(raised)).toEqual([{ ThrottlingRateLimit: 40_000, ThrottlingBurstLimit: 20_000 }]);
});

it('leaves room for other tenants by default when one credential of the largest plan uses all of its limits', () => {
  const largest = rateClasses.reduce((sum, rateClass) => sum + planLimits.enterprise[rateClass].rate, 0);

  const [throttle] = throttleOf({});

  expect(largest).toBeGreaterThan(5_000);
  expect(throttle?.ThrottlingRateLimit).toBeGreaterThan(1.5 * largest);
});

it('reads the throttle from the command line as numbers', () => {
  expect(Settings.parse({ throttleRate: '20000', throttleBurst: '10000' })).toMatchObject({
    throttleRate: 20_000,
    throttleBurst: 10_000,
  });
  expect(Settings.safeParse({ throttleRate: '0' }).success).toBe(false);
});
