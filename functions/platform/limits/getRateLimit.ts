import { rateClasses } from '../../../schemas/platform/limits.ts';
import { getRateLimit, type RateLimitBudget } from '../../../schemas/routes/tenants/limits.ts';
import { operation } from '../http/operation.ts';
import { reply } from '../http/reply.ts';
import { settings } from '../shared/settings.ts';
import { bucketOf, limitOf } from './bucket.ts';

export default operation(getRateLimit, async ({ caller, stores }) => {
  const { tenant, principal } = caller;
  const classes = rateClasses.map(async (rateClass) => {
    const state = await stores.limiter.peek({ tenant, principal, rateClass });
    const { rate } = bucketOf(limitOf(tenant, rateClass), settings.RATE_LIMIT_SCALE).limit;
    return { class: rateClass, rate, ...state };
  });
  const budget: RateLimitBudget = {
    plan: tenant.plan,
    classes: await Promise.all(classes),
  };
  return reply(200, budget);
});
