import type { InvocationEvent } from '../../../schemas/ingest/invocationEvent.ts';
import type { Saving } from '../../../schemas/insight/savings.ts';
import { assessEnergy, modelCall } from '../../impact/footprint/energy.ts';
import type { ModelIdentity } from '../../impact/usage/modelIdentity.ts';
import { decimal } from '../../platform/shared/decimal.ts';
import type { ModelCalls } from '../reports/modelCalls.ts';
import type { SavingsPeriod } from './serviceCalls.ts';

type TokensOf = Pick<ModelCalls, 'input' | 'cached' | 'output'>;

/** The estimate of a call with all these tokens: energy grows in proportion to them. */
const energyOf = (identity: ModelIdentity, { input, cached, output }: TokensOf) => {
  const event: InvocationEvent = {
    event_id: '00000000-0000-0000-0000-000000000000',
    ingestion_layer: 'report',
    ingestion_timestamp: '1970-01-01T00:00:00.000Z',
    provider: identity.provider,
    requested_model: identity.model,
    input_tokens: input,
    cached_input_tokens: cached,
    output_tokens: output,
  };
  const energy = assessEnergy(event, modelCall(event, identity));
  return typeof energy === 'string' ? null : energy;
};

/** The energy that the same model saves with other tokens. The error is the same on both sides. */
export const energySavedByTokens = (
  identity: ModelIdentity,
  now: TokensOf,
  best: TokensOf,
  { monthly }: SavingsPeriod,
): Saving['energy_wh'] => {
  const [before, after] = [energyOf(identity, now), energyOf(identity, best)];
  return before === null || after === null
    ? null
    : { low: '0', high: monthly(decimal(before.high).minus(after.high)) };
};

/** The energy that another model saves with the same tokens. The errors of two models are independent, so the range is that of both. */
export const energySavedByModel = (
  identity: ModelIdentity,
  other: ModelIdentity,
  tokens: TokensOf,
  { monthly }: SavingsPeriod,
): Saving['energy_wh'] => {
  const [before, after] = [energyOf(identity, tokens), energyOf(other, tokens)];
  return before === null || after === null
    ? null
    : {
        low: monthly(decimal(before.low).minus(after.high)),
        high: monthly(decimal(before.high).minus(after.low)),
      };
};
