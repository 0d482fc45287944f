import { attributionContext } from '../../attribution/engine/attributionContext.ts';
import { inferrer } from '../../attribution/training/models/inferrer.ts';
import { transitionDegradation } from '../../attribution/training/models/transitionDegradation.ts';
import { pricesInForce } from '../../impact/price/lists/pricesInForce.ts';
import { stopwatch } from '../../platform/shared/time/clock.ts';
import { artefactsRead } from '../stores/artefacts.ts';
import { identityList, modelsRead, modelsSave } from '../stores/attribution.ts';
import { environment } from '../stores/environment.ts';
import { outboxAppend, tenantsRead } from '../stores/platform.ts';
import { storesIn } from '../stores/provider.ts';

/**
 * The attribution context, configured from the environment. `budget` is the time limit of a model inference in
 * milliseconds. Set it for background jobs, which fail if loaded prices cannot be read; the default is for events.
 */
export const attributionContextFromEnv = (budget?: number) => {
  const { clock } = environment;
  const { tenants, mappings, serving, servingWriter, artefacts, priceObjects, outbox } = storesIn(
    environment,
    {
      artefactsRead,
      identityList,
      modelsRead,
      modelsSave,
      outboxAppend,
      tenantsRead,
    },
  );
  return attributionContext({
    tenants,
    mappings,
    loadedPrices: pricesInForce(priceObjects, {
      clock,
      whenUnreadable: budget === undefined ? 'last_known' : 'fail',
    }),
    inferrer: inferrer({
      serving,
      artefacts,
      transitionDegradation: transitionDegradation({ registry: servingWriter, outbox, clock }),
      clock,
      stopwatch,
      ...(budget !== undefined && { budget }),
    }),
    clock,
  });
};
