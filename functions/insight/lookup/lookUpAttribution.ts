import { type AttributionLookup, lookUpAttribution } from '../../../schemas/routes/insight/lookup.ts';
import { decideByRules } from '../../attribution/engine/decideAttribution.ts';
import { buildInterpretation } from '../../attribution/engine/interpretation.ts';
import { resolve, rulesVersion } from '../../attribution/engine/rules/resolution.ts';
import { answersOf } from '../../ledger/records/answers.ts';
import { operation } from '../../platform/http/operation.ts';
import { reply } from '../../platform/http/reply.ts';
import type { Clock } from '../../platform/shared/time/clock.ts';
import { toIso } from '../../platform/shared/time/toIso.ts';
import type { StoresOf } from '../../stores.ts';
import { budgetStandings } from './budgetStandings.ts';
import { lookupContext } from './lookupContext.ts';

/** The cost of a call is not known before the call, so no result is eligible for exports yet. */
const BEFORE_THE_CALL = { cost: null, unknown: undefined };

export default (stores: StoresOf<typeof lookUpAttribution>, clock: Clock) => {
  const contextOf = lookupContext(stores, clock);

  return operation(lookUpAttribution, async ({ query, caller, receivedAt }) => {
    const context = await contextOf(caller.tenant);
    const { provider = '', served_model = '', region = null, tags = [], ...signals } = query;
    const { mappings, readAt } = context;
    const resolution = resolve({ ...signals, tags }, { mappings, trace: null, occurredAt: receivedAt });
    const { owner, service, state, stageResult } = decideByRules(resolution, rulesVersion(mappings));
    const at = { occurredAt: receivedAt, receivedAt };
    const card = buildInterpretation(stageResult, { ...BEFORE_THE_CALL, ...at });
    return reply(200, {
      owner,
      service,
      output_state: state,
      interpretation: { ...card, answers: answersOf({ owner, service, interpretation: card }, resolution) },
      budgets: budgetStandings(
        context,
        { owner, service, provider, served_model, region, tags },
        caller,
        receivedAt,
      ),
      as_of: toIso(readAt),
    } satisfies AttributionLookup);
  })(stores);
};
