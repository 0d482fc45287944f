import { attributionContext } from '../../attribution/engine/attributionContext.ts';
import { mappingReader } from '../../attribution/mappings/mapping.store.ts';
import { artefactReader } from '../../attribution/training/models/artefact.store.ts';
import { inferrer } from '../../attribution/training/models/inferrer.ts';
import { servingReader, servingWriter } from '../../attribution/training/models/registry.store.ts';
import { transitionDegradation } from '../../attribution/training/models/transitionDegradation.ts';
import { outbox } from '../../platform/outbox/outbox.store.ts';
import { resource } from '../../platform/shared/settings.ts';
import { stopwatch, systemClock } from '../../platform/shared/time/clock.ts';
import type { TenantReader } from '../../platform/tenancy/tenant.store.ts';

/**
 * The attribution context, configured from the environment. `budget` is the time limit of a model inference in
 * milliseconds. Set it for background jobs; the default is for events.
 */
export const attributionContextFromEnv = ({
  tenants,
  budget,
}: {
  readonly tenants: TenantReader;
  readonly budget?: number;
}) => {
  const models = resource('table', 'models');
  return attributionContext({
    tenants,
    mappings: mappingReader(resource('table', 'identity')),
    inferrer: inferrer({
      serving: servingReader(models),
      artefacts: artefactReader(resource('bucket', 'artefacts')),
      transitionDegradation: transitionDegradation({
        registry: servingWriter(models),
        outbox: outbox(resource('table', 'outbox')),
        clock: systemClock,
      }),
      clock: systemClock,
      stopwatch,
      ...(budget !== undefined && { budget }),
    }),
    clock: systemClock,
  });
};
