import { scopeOf } from '../../schemas/routes/route.ts';
import { ProblemError } from './problem.ts';
import type { Step } from './step.ts';

/** Whether the caller may: absence denies, and no scope implies another. */
export const authorise: Step = {
  before: ({ event: exchange }) => {
    const scope = scopeOf(exchange.route);
    if (scope === undefined || exchange.caller?.scopes.has(scope)) return;
    throw new ProblemError('INSUFFICIENT_SCOPE', `This operation needs the scope ${scope}.`, {
      headers: { 'www-authenticate': `Bearer error="insufficient_scope", scope="${scope}"` },
    });
  },
};
